<?php
/**
 * The settings page: Settings, Sheaf.
 *
 * @package sheaf
 */

defined( 'ABSPATH' ) || exit;

/**
 * Two settings, a button, and what happened last.
 */
class Sheaf_Settings {

	/**
	 * Adds the hooks.
	 */
	public static function register() {
		add_action(
			'admin_menu',
			function () {
				add_options_page( 'Sheaf', 'Sheaf', 'manage_options', 'sheaf', array( __CLASS__, 'show' ) );
			}
		);
		add_action(
			'admin_init',
			function () {
				register_setting( 'sheaf', 'sheaf_settings', array( 'sanitize_callback' => array( __CLASS__, 'check' ) ) );
			}
		);
		add_action( 'admin_post_sheaf_publish', array( __CLASS__, 'publish' ) );
	}

	/**
	 * Checks what was entered. A program to run is for those who may install programs anyway.
	 *
	 * @param array $input The form.
	 */
	public static function check( $input ) {
		$folder  = untrailingslashit( sanitize_text_field( $input['folder'] ?? '' ) );
		$program = sanitize_text_field( $input['program'] ?? '' );
		if ( '' !== $folder && Sheaf_Runner::is_served( $folder ) ) {
			add_settings_error( 'sheaf_settings', 'folder', __( 'The folder must be an absolute path outside of what the web server serves.', 'sheaf' ) );
			$folder = '';
		}
		if ( '' !== $program && ( ! current_user_can( 'install_plugins' ) || 'sheaf' !== basename( $program ) || ! is_executable( $program ) ) ) {
			add_settings_error( 'sheaf_settings', 'program', __( 'The program must be the absolute path of an executable named sheaf.', 'sheaf' ) );
			$program = Sheaf_Runner::setting( 'program' );
		}
		return compact( 'folder', 'program' );
	}

	/**
	 * The button.
	 */
	public static function publish() {
		if ( ! current_user_can( 'manage_options' ) || ! check_admin_referer( 'sheaf_publish' ) ) {
			wp_die( esc_html__( 'You may not do this.', 'sheaf' ) );
		}
		Sheaf_Changes::run_now();
		wp_safe_redirect( admin_url( 'options-general.php?page=sheaf' ) );
		exit;
	}

	/**
	 * The page.
	 */
	public static function show() {
		$last   = (array) get_option( 'sheaf_last_run', array() );
		$reason = Sheaf_Visibility::site_reason();
		?>
		<div class="wrap">
			<h1>Sheaf</h1>
			<?php if ( '' !== $reason ) : ?>
				<div class="notice notice-error"><p><?php echo esc_html( "Nothing is published: $reason." ); ?></p></div>
			<?php endif; ?>
			<form method="post" action="options.php">
				<?php settings_fields( 'sheaf' ); ?>
				<table class="form-table">
					<tr>
						<th><label for="sheaf-folder"><?php esc_html_e( 'Folder', 'sheaf' ); ?></label></th>
						<td><input id="sheaf-folder" class="regular-text code" name="sheaf_settings[folder]" value="<?php echo esc_attr( Sheaf_Runner::folder() ); ?>">
						<p class="description"><?php esc_html_e( 'For the exported pages, sheaf.toml and the state. Never in a folder that is served.', 'sheaf' ); ?></p></td>
					</tr>
					<tr>
						<th><label for="sheaf-program"><?php esc_html_e( 'Program', 'sheaf' ); ?></label></th>
						<td><input id="sheaf-program" class="regular-text code" name="sheaf_settings[program]" placeholder="/usr/bin/sheaf" value="<?php echo esc_attr( Sheaf_Runner::setting( 'program' ) ); ?>">
						<p class="description">
						<?php
						echo esc_html(
							Sheaf_Runner::can_run()
							? __( 'Runs sheaf publish after each export. Empty: only export.', 'sheaf' )
							: __( 'PHP may not run programs here. Run sheaf publish elsewhere, with the pages from:', 'sheaf' ) . ' ' . rest_url( 'sheaf/v1/pages' )
						);
						?>
						</p></td>
					</tr>
				</table>
				<?php submit_button(); ?>
			</form>
			<form method="post" action="<?php echo esc_url( admin_url( 'admin-post.php' ) ); ?>">
				<input type="hidden" name="action" value="sheaf_publish">
				<?php wp_nonce_field( 'sheaf_publish' ); ?>
				<?php submit_button( __( 'Publish now', 'sheaf' ), 'secondary' ); ?>
			</form>
			<?php if ( $last ) : ?>
				<h2><?php echo esc_html( gmdate( 'Y-m-d H:i:s', $last['time'] ) . ' UTC' . ( $last['ok'] ? '' : ': failed' ) ); ?></h2>
				<pre><?php echo esc_html( $last['text'] ); ?></pre>
			<?php endif; ?>
		</div>
		<?php
	}
}
