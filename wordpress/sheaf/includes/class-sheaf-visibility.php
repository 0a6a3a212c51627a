<?php
/**
 * Decides which posts an anonymous visitor may see. In doubt a post is held.
 *
 * @package sheaf
 */

defined( 'ABSPATH' ) || exit;

/**
 * The rules. Those that need the page itself are in Sheaf_Renderer.
 */
class Sheaf_Visibility {

	/**
	 * Why nothing of the site may be published; empty if it may.
	 */
	public static function site_reason() {
		if ( ! get_option( 'blog_public' ) ) {
			return 'the site asks search engines to stay away (Settings, Reading)';
		}
		if ( is_multisite() ) {
			$site = get_site();
			if ( $site && ( $site->archived || $site->deleted || $site->spam || ! $site->public ) ) {
				return 'the site of this network is archived, deleted or not public';
			}
		}
		return '';
	}

	/**
	 * The types of posts that have pages.
	 */
	public static function types() {
		$types = array();
		foreach ( get_post_types( array( 'public' => true ), 'objects' ) as $type ) {
			if ( is_post_type_viewable( $type ) && 'attachment' !== $type->name ) {
				$types[] = $type->name;
			}
		}
		// Since WordPress 6.4 attachments of new sites have no pages.
		if ( get_option( 'wp_attachment_pages_enabled', '1' ) ) {
			$types[] = 'attachment';
		}
		return apply_filters( 'sheaf_post_types', $types );
	}

	/**
	 * Why a post is not public; empty if it is.
	 *
	 * @param WP_Post $post The post.
	 */
	public static function reason( $post ) {
		$status = get_post_status( $post );  // that of its parent, for an attachment.
		if ( 'publish' !== $status ) {
			return "status $status";
		}
		if ( '' !== $post->post_password ) {
			return 'password';
		}
		if ( $post->post_parent && 'attachment' === $post->post_type ) {
			$parent = get_post( $post->post_parent );
			$why    = $parent ? self::reason( $parent ) : '';
			if ( '' !== $why ) {
				return "its parent: $why";
			}
		}
		if ( ! is_post_publicly_viewable( $post ) ) {
			return 'not viewable';
		}
		if ( strtotime( $post->post_date_gmt . ' UTC' ) > time() ) {
			return 'dated in the future';
		}
		if ( (int) get_option( 'page_for_posts' ) === $post->ID && 'page' === get_option( 'show_on_front' ) ) {
			return 'the list of posts';
		}
		return self::noindex( $post );
	}

	/**
	 * Whether a plugin for search engines has marked the post. Plugins that are not known here are found by
	 * what they print (Sheaf_Renderer).
	 *
	 * @param WP_Post $post The post.
	 */
	private static function noindex( $post ) {
		$type = $post->post_type;
		$meta = function ( $key ) use ( $post ) {
			return get_post_meta( $post->ID, $key, true );
		};
		$has = function ( $value ) {
			return false !== strpos( strtolower( maybe_serialize( $value ) ), 'noindex' );
		};

		$yoast       = (string) $meta( '_yoast_wpseo_meta-robots-noindex' );
		$yoast_types = (array) get_option( 'wpseo_titles', array() );
		if ( '1' === $yoast || ( '2' !== $yoast && ! empty( $yoast_types[ "noindex-$type" ] ) ) ) {
			return 'noindex of Yoast SEO';
		}
		$rank       = $meta( 'rank_math_robots' );
		$rank_types = (array) get_option( 'rank-math-options-titles', array() );
		if ( ! $rank && 'on' === ( $rank_types[ "pt_{$type}_custom_robots" ] ?? '' ) ) {
			$rank = $rank_types[ "pt_{$type}_robots" ] ?? array();
		}
		if ( ! $rank && ! empty( $rank_types['robots_global'] ) ) {
			$rank = $rank_types['robots_global'];
		}
		if ( $has( $rank ) ) {
			return 'noindex of Rank Math';
		}
		$press = (array) get_option( 'seopress_titles_option_name', array() );
		if ( 'yes' === $meta( '_seopress_robots_index' ) || ! empty( $press['seopress_titles_noindex'] )
			|| ! empty( $press['seopress_titles_single_titles'][ $type ]['noindex'] ) ) {
			return 'noindex of SEOPress';
		}
		if ( in_array( $meta( '_aioseop_noindex' ), array( 'on', '1' ), true ) || self::aioseo( $post ) ) {
			return 'noindex of All in One SEO';
		}
		if ( '1' === (string) $meta( '_genesis_noindex' ) ) {
			return 'noindex of Genesis or The SEO Framework';
		}
		$slim = $meta( 'slim_seo' );
		if ( is_array( $slim ) && ! empty( $slim['noindex'] ) ) {
			return 'noindex of Slim SEO';
		}
		return '';
	}

	/**
	 * Whether All in One SEO, which has a table of its own, has marked the post.
	 *
	 * @param WP_Post $post The post.
	 */
	private static function aioseo( $post ) {
		global $wpdb;
		static $has_table = array();
		$table            = $wpdb->prefix . 'aioseo_posts';
		if ( ! isset( $has_table[ $table ] ) ) {
			// phpcs:ignore WordPress.DB.DirectDatabaseQuery
			$has_table[ $table ] = $wpdb->get_var( $wpdb->prepare( 'SHOW TABLES LIKE %s', $wpdb->esc_like( $table ) ) ) === $table;
		}
		if ( ! $has_table[ $table ] ) {
			return false;
		}
		// phpcs:ignore WordPress.DB
		$row = $wpdb->get_row( $wpdb->prepare( "SELECT robots_default, robots_noindex FROM $table WHERE post_id = %d", $post->ID ) );
		return $row && ! $row->robots_default && $row->robots_noindex;
	}
}
