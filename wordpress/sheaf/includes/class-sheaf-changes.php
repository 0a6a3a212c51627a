<?php
/**
 * Notes that something has changed, and publishes in the background.
 *
 * @package sheaf
 */

defined( 'ABSPATH' ) || exit;

/**
 * Hooks of saving, WP-Cron and robots.txt.
 */
class Sheaf_Changes {

	/**
	 * Adds the hooks.
	 */
	public static function register() {
		add_action( 'save_post', array( __CLASS__, 'note_post' ), 10, 2 );
		foreach ( array( 'deleted_post', 'trashed_post', 'switch_theme', 'activated_plugin', 'deactivated_plugin', 'update_option_permalink_structure', 'update_option_blog_public' ) as $hook ) {
			add_action( $hook, array( __CLASS__, 'note' ) );
		}
		foreach ( array( 'added_post_meta', 'updated_post_meta', 'deleted_post_meta' ) as $hook ) {
			add_action( $hook, array( __CLASS__, 'note' ) );  // noindex and membership are meta data.
		}
		add_action( 'sheaf_run', array( __CLASS__, 'run' ) );
		add_filter( 'robots_txt', array( __CLASS__, 'robots' ), 20, 2 );
		register_activation_hook( SHEAF_FILE, array( __CLASS__, 'activate' ) );
		register_deactivation_hook( SHEAF_FILE, array( __CLASS__, 'deactivate' ) );
	}

	/**
	 * Notes a saved post.
	 *
	 * @param int     $id   Its ID.
	 * @param WP_Post $post The post.
	 */
	public static function note_post( $id, $post ) {
		if ( ! wp_is_post_revision( $id ) && 'auto-draft' !== $post->post_status ) {
			self::note();
		}
	}

	/**
	 * Notes the time of the first change since the last export.
	 */
	public static function note() {
		if ( ! get_option( 'sheaf_changed' ) ) {
			update_option( 'sheaf_changed', time(), false );
		}
	}

	/**
	 * Publishes what has changed; once a day in any case, because pages begin and expire by themselves.
	 */
	public static function run() {
		$last = (array) get_option( 'sheaf_last_run', array() );
		if ( ! get_option( 'sheaf_changed' ) && time() - (int) ( $last['time'] ?? 0 ) < DAY_IN_SECONDS ) {
			return;
		}
		self::run_now();
	}

	/**
	 * Publishes and keeps what happened for the settings page.
	 *
	 * @return WP_Error|string
	 */
	public static function run_now() {
		$done = Sheaf_Runner::run();
		update_option(
			'sheaf_last_run',
			array(
				'time' => time(),
				'ok'   => ! is_wp_error( $done ),
				'text' => is_wp_error( $done ) ? $done->get_error_message() : $done,
			),
			false
		);
		return $done;
	}

	/**
	 * Adds the line that leads clients to the collections, once there is a sitemap.
	 *
	 * @param string $text   The text of robots.txt.
	 * @param bool   $public Whether the site is public.
	 */
	public static function robots( $text, $public ) {
		$line = 'Sitemap: ' . home_url( '/sitemap.xml' );
		if ( ! $public || ! file_exists( ABSPATH . 'sitemap.xml' ) || false !== strpos( $text, $line . "\n" ) ) {
			return $text;
		}
		return rtrim( $text ) . "\n\n" . $line . "\n";
	}

	/**
	 * Starts the schedule.
	 */
	public static function activate() {
		if ( ! wp_next_scheduled( 'sheaf_run' ) ) {
			wp_schedule_event( time() + MINUTE_IN_SECONDS, 'hourly', 'sheaf_run' );
		}
		self::note();
	}

	/**
	 * Ends the schedule.
	 */
	public static function deactivate() {
		wp_clear_scheduled_hook( 'sheaf_run' );
	}
}
