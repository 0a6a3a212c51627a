<?php
/**
 * Hands the pages to a `sheaf publish` on another machine.
 *
 * @package sheaf
 */

defined( 'ABSPATH' ) || exit;

/**
 * GET /wp-json/sheaf/v1/pages, with an application password of an administrator.
 */
class Sheaf_Rest {

	/**
	 * Adds the route.
	 */
	public static function register() {
		add_action(
			'rest_api_init',
			function () {
				register_rest_route(
					'sheaf/v1',
					'/pages',
					array(
						'methods'             => 'GET',
						'callback'            => array( __CLASS__, 'prepare' ),
						'permission_callback' => function () {
							return current_user_can( 'export' );
						},
					)
				);
			}
		);
		add_filter( 'rest_pre_serve_request', array( __CLASS__, 'serve' ), 10, 2 );
	}

	/**
	 * Exports to a temporary file, so that an error is an answer and never half a list.
	 *
	 * @return WP_Error|WP_REST_Response
	 */
	public static function prepare() {
		$file = tempnam( get_temp_dir(), 'sheaf' );
		$done = ( new Sheaf_Export() )->write_file( $file );
		if ( is_wp_error( $done ) ) {
			unlink( $file ); // phpcs:ignore WordPress.WP.AlternativeFunctions
			$done->add_data( array( 'status' => 500 ) );
			return $done;
		}
		return new WP_REST_Response( array( 'sheaf_file' => $file ) );
	}

	/**
	 * Sends the file instead of JSON.
	 *
	 * @param bool             $served Whether the answer was sent.
	 * @param WP_HTTP_Response $result The answer.
	 */
	public static function serve( $served, $result ) {
		$data = $result->get_data();
		if ( $served || ! is_array( $data ) || empty( $data['sheaf_file'] ) || 200 !== $result->get_status() ) {
			return $served;
		}
		// phpcs:disable WordPress.WP.AlternativeFunctions
		header( 'Content-Type: application/x-ndjson; charset=utf-8' );
		header( 'Content-Length: ' . filesize( $data['sheaf_file'] ) );
		header( 'Cache-Control: no-store' );
		readfile( $data['sheaf_file'] );
		unlink( $data['sheaf_file'] );
		// phpcs:enable
		return true;
	}
}
