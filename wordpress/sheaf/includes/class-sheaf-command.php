<?php
/**
 * WP-CLI.
 *
 * @package sheaf
 */

defined( 'ABSPATH' ) || exit;

/**
 * Exports the public pages for `sheaf publish`.
 */
class Sheaf_Command {

	/**
	 * Writes all public pages as JSON Lines.
	 *
	 * ## OPTIONS
	 *
	 * [<file>]
	 * : The file; default: standard output.
	 *
	 * [--held]
	 * : Also print what is left out, with its reason, on standard error.
	 *
	 * ## EXAMPLES
	 *
	 *     wp sheaf export /srv/sheaf/pages.jsonl
	 *
	 * @param array $arguments The file.
	 * @param array $options   The options.
	 */
	public function export( $arguments, $options ) {
		$export = new Sheaf_Export();
		$done   = isset( $arguments[0] ) ? $export->write_file( $arguments[0] ) : $export->write( fopen( 'php://stdout', 'wb' ) ); // phpcs:ignore WordPress.WP.AlternativeFunctions
		if ( is_wp_error( $done ) ) {
			WP_CLI::error( $done->get_error_message() );
		}
		if ( ! empty( $options['held'] ) ) {
			foreach ( $export->held as $id => $reason ) {
				WP_CLI::warning( "post $id is left out: $reason" );
			}
		}
		if ( isset( $arguments[0] ) ) {
			WP_CLI::success( sprintf( '%d pages, %d left out', $export->pages, count( $export->held ) ) );
		}
	}

	/**
	 * Exports to the folder of the settings, and runs `sheaf publish` if it is set.
	 */
	public function publish() {
		$done = Sheaf_Changes::run_now();
		if ( is_wp_error( $done ) ) {
			WP_CLI::error( $done->get_error_message() );
		}
		WP_CLI::success( $done );
	}
}
