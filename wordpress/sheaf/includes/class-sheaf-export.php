<?php
/**
 * Writes all public pages as JSON Lines.
 *
 * @package sheaf
 */

defined( 'ABSPATH' ) || exit;

/**
 * One export.
 */
class Sheaf_Export {

	const BATCH = 100;

	/**
	 * How many pages were written.
	 *
	 * @var int
	 */
	public $pages = 0;

	/**
	 * What was left out: post ID => reason.
	 *
	 * @var array
	 */
	public $held = array();

	/**
	 * Writes the pages to a stream.
	 *
	 * @param resource $stream Where to write.
	 * @return WP_Error|true
	 */
	public function write( $stream ) {
		$reason = Sheaf_Visibility::site_reason();
		if ( '' !== $reason ) {
			return new WP_Error( 'sheaf_private', "Nothing is exported: $reason." );
		}
		$last = 0;
		while ( true ) {
			$ids = self::next_ids( $last );
			if ( ! $ids ) {
				return true;
			}
			_prime_post_caches( $ids );
			foreach ( $ids as $id ) {
				$last = $id;
				$line = $this->line( get_post( $id ) );
				if ( '' !== $line && false === fwrite( $stream, $line . "\n" ) ) { // phpcs:ignore WordPress.WP.AlternativeFunctions
					return new WP_Error( 'sheaf_write', 'The export cannot be written.' );
				}
			}
			wp_cache_flush_runtime();
		}
	}

	/**
	 * Writes the pages to a file, which is replaced when all are written.
	 *
	 * @param string $file The file.
	 * @return WP_Error|true
	 */
	public function write_file( $file ) {
		// phpcs:disable WordPress.WP.AlternativeFunctions, WordPress.PHP.NoSilencedErrors
		$temporary = $file . '.new';
		$stream    = @fopen( $temporary, 'wb' );
		if ( ! $stream ) {
			return new WP_Error( 'sheaf_write', "$temporary cannot be written." );
		}
		$done = $this->write( $stream );
		if ( ! fclose( $stream ) && true === $done ) {
			$done = new WP_Error( 'sheaf_write', "$temporary cannot be written." );
		}
		if ( true === $done && ! rename( $temporary, $file ) ) {
			$done = new WP_Error( 'sheaf_write', "$file cannot be replaced." );
		}
		if ( true !== $done ) {
			@unlink( $temporary );
		}
		// phpcs:enable
		return $done;
	}

	/**
	 * The page of a post as a line; empty if it is held.
	 *
	 * @param WP_Post|null $post The post.
	 */
	private function line( $post ) {
		if ( ! $post ) {
			return '';
		}
		$reason = Sheaf_Visibility::reason( $post );
		if ( '' === $reason ) {
			try {
				$line = wp_json_encode( Sheaf_Renderer::page( $post ), JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE );
				if ( false !== $line ) {
					++$this->pages;
					return $line;
				}
				$reason = 'not UTF-8';
			} catch ( Throwable $held ) {
				// An error of a plugin leaves it open what a visitor would see.
				$reason = $held instanceof Sheaf_Held ? $held->getMessage() : get_class( $held ) . ': ' . $held->getMessage();
			}
		}
		$this->held[ $post->ID ] = $reason;
		return '';
	}

	/**
	 * The next posts, in the order of their IDs.
	 *
	 * @param int $last The last ID before them.
	 */
	private static function next_ids( $last ) {
		global $wpdb;
		$types = Sheaf_Visibility::types();
		$marks = implode( ', ', array_fill( 0, count( $types ), '%s' ) );
		// All posts of these types, so that the report names what is left out. phpcs:ignore WordPress.DB
		return array_map( 'intval', $wpdb->get_col( $wpdb->prepare( "SELECT ID FROM $wpdb->posts WHERE ID > %d AND post_type IN ($marks) AND post_status NOT IN ('auto-draft', 'trash') ORDER BY ID LIMIT %d", array_merge( array( $last ), $types, array( self::BATCH ) ) ) ) ); // phpcs:ignore WordPress.DB
	}
}
