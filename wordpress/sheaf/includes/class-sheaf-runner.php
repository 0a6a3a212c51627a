<?php
/**
 * Exports the pages and runs `sheaf publish`.
 *
 * @package sheaf
 */

defined( 'ABSPATH' ) || exit;

/**
 * The folder with the export, sheaf.toml and the state, and the program.
 */
class Sheaf_Runner {

	/**
	 * A setting.
	 *
	 * @param string $name     Its name.
	 * @param string $fallback Its default.
	 */
	public static function setting( $name, $fallback = '' ) {
		$settings = (array) get_option( 'sheaf_settings', array() );
		return isset( $settings[ $name ] ) && '' !== $settings[ $name ] ? (string) $settings[ $name ] : $fallback;
	}

	/**
	 * The folder, which is never served: beside WordPress, not in it.
	 */
	public static function folder() {
		$name = 'sheaf-' . get_current_blog_id();
		return self::setting( 'folder', dirname( untrailingslashit( ABSPATH ) ) . '/' . $name );
	}

	/**
	 * Whether a path is inside of what is served.
	 *
	 * @param string $path The path.
	 */
	public static function is_served( $path ) {
		$real = realpath( $path );
		$path = wp_normalize_path( $real ? $real : $path ) . '/';
		foreach ( array( ABSPATH, WP_CONTENT_DIR, isset( $_SERVER['DOCUMENT_ROOT'] ) ? sanitize_text_field( wp_unslash( $_SERVER['DOCUMENT_ROOT'] ) ) : '' ) as $served ) {
			$real = '' === $served ? false : realpath( $served );
			if ( $real && 0 === strpos( $path, trailingslashit( wp_normalize_path( $real ) ) ) ) {
				return true;
			}
		}
		return 0 !== strpos( $path, '/' );
	}

	/**
	 * Whether PHP may run programs here.
	 */
	public static function can_run() {
		$disabled = array_map( 'trim', explode( ',', (string) ini_get( 'disable_functions' ) ) );
		return function_exists( 'proc_open' ) && ! in_array( 'proc_open', $disabled, true );
	}

	/**
	 * Makes the folder, and a configuration if there is none.
	 *
	 * @return WP_Error|string The folder.
	 */
	public static function prepare() {
		$folder = self::folder();
		if ( self::is_served( $folder ) ) {
			return new WP_Error( 'sheaf_served', "$folder is inside of what the web server serves, or is no absolute path. Choose another folder." );
		}
		if ( ! wp_mkdir_p( $folder ) ) {
			return new WP_Error( 'sheaf_folder', "$folder cannot be made. Make it by hand, and let PHP write to it." );
		}
		$config = "$folder/sheaf.toml";
		if ( ! file_exists( $config ) && false === file_put_contents( $config, self::config( $folder ) ) ) { // phpcs:ignore WordPress.WP.AlternativeFunctions
			return new WP_Error( 'sheaf_folder', "$config cannot be written." );
		}
		return $folder;
	}

	/**
	 * A configuration of `sheaf publish` for the export.
	 *
	 * @param string $folder The folder.
	 */
	public static function config( $folder ) {
		$quote = function ( $text ) {
			return wp_json_encode( (string) $text, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE );
		};
		$root  = untrailingslashit( ABSPATH );
		return "# Written by the Sheaf plugin; see docs/publishing.md.\n"
			. 'base = ' . $quote( home_url() ) . "\n"
			. 'out = ' . $quote( "$root/scp" ) . "\n"
			. 'collections_url = ' . $quote( home_url( '/scp/' ) ) . "\n"
			. 'sitemap = ' . $quote( "$root/sitemap.xml" ) . "\n"
			. 'state = ' . $quote( "$folder/state" ) . "\n"
			. "\n[[section]]\nname = \"all\"\n[[section.source]]\ntype = \"jsonl\"\nfile = \"pages.jsonl\"\n";
	}

	/**
	 * Exports, and publishes if the program can be run.
	 *
	 * @return WP_Error|string What was done.
	 */
	public static function run() {
		$folder = self::prepare();
		if ( is_wp_error( $folder ) ) {
			return $folder;
		}
		$export = new Sheaf_Export();
		$done   = $export->write_file( "$folder/pages.jsonl" );
		if ( is_wp_error( $done ) ) {
			return $done;
		}
		delete_option( 'sheaf_changed' );
		$text = sprintf( '%d pages exported, %d left out.', $export->pages, count( $export->held ) );
		if ( ! self::can_run() || '' === self::setting( 'program' ) ) {
			return $text;
		}
		$command = array( self::setting( 'program' ), 'publish', '--config', "$folder/sheaf.toml" );
		$process = proc_open( $command, array( 1 => array( 'pipe', 'w' ), 2 => array( 'redirect', 1 ) ), $pipes, $folder ); // phpcs:ignore
		if ( ! is_resource( $process ) ) {
			return new WP_Error( 'sheaf_run', $command[0] . ' cannot be run.' );
		}
		$said   = stream_get_contents( $pipes[1] );
		$status = proc_close( $process );
		return 0 === $status ? "$text\n$said" : new WP_Error( 'sheaf_run', "sheaf publish ended with $status.\n$said" );
	}
}
