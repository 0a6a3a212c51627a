<?php
/**
 * Renders a post as an anonymous visitor sees it.
 *
 * @package sheaf
 */

defined( 'ABSPATH' ) || exit;

/**
 * Thrown if a plugin sends the visitor away.
 */
class Sheaf_Held extends Exception {}

/**
 * Makes a request of its own for each post: nobody is logged in, and the post is the main query. Plugins that
 * protect content ask for both.
 */
class Sheaf_Renderer {

	/**
	 * The page of a post, as sheaf reads it.
	 *
	 * @param WP_Post $post The post.
	 * @return array Its fields.
	 * @throws Sheaf_Held If the post is not public after all.
	 */
	public static function page( $post ) {
		$saved = array();
		foreach ( array( 'wp_query', 'wp_the_query', 'post', 'more', 'page', 'pages', 'multipage', 'numpages' ) as $name ) {
			$saved[ $name ] = $GLOBALS[ $name ] ?? null;
		}
		$user   = get_current_user_id();
		$levels = ob_get_level();
		$sent   = headers_list();
		wp_set_current_user( 0 );
		add_filter( 'wp_redirect', array( __CLASS__, 'refuse' ), PHP_INT_MAX );
		foreach ( array( 'wp_die_handler', 'wp_die_ajax_handler', 'wp_die_json_handler' ) as $hook ) {
			add_filter( $hook, array( __CLASS__, 'die_handler' ), PHP_INT_MAX );
		}
		try {
			self::start( $post );
			self::visit( $sent );
			return self::fields( $post );
		} finally {
			while ( ob_get_level() > $levels ) {
				ob_end_clean();
			}
			// What WordPress adds for the page (links, cookies) is not for the client of this request.
			if ( ! headers_sent() ) {
				header_remove();
				foreach ( $sent as $header ) {
					header( $header, false );
				}
			}
			remove_filter( 'wp_redirect', array( __CLASS__, 'refuse' ), PHP_INT_MAX );
			foreach ( array( 'wp_die_handler', 'wp_die_ajax_handler', 'wp_die_json_handler' ) as $hook ) {
				remove_filter( $hook, array( __CLASS__, 'die_handler' ), PHP_INT_MAX );
			}
			foreach ( $saved as $name => $value ) {
				$GLOBALS[ $name ] = $value; // phpcs:ignore WordPress.WP.GlobalVariablesOverride
			}
			wp_set_current_user( $user );
		}
	}

	/**
	 * Makes the post the main query.
	 *
	 * @param WP_Post $post The post.
	 * @throws Sheaf_Held If WordPress does not find it for a visitor.
	 */
	private static function start( $post ) {
		$key   = 'page' === $post->post_type ? 'page_id' : ( 'attachment' === $post->post_type ? 'attachment_id' : 'p' );
		$query = new WP_Query();
		// phpcs:disable WordPress.WP.GlobalVariablesOverride
		$GLOBALS['wp_query']     = $query;
		$GLOBALS['wp_the_query'] = $query;
		// phpcs:enable
		$query->query( 'p' === $key ? array( $key => $post->ID, 'post_type' => $post->post_type ) : array( $key => $post->ID ) );
		if ( ! $query->have_posts() || (int) $query->posts[0]->ID !== (int) $post->ID ) {
			throw new Sheaf_Held( 'a visitor does not find it' );
		}
		$GLOBALS['post'] = $query->posts[0]; // phpcs:ignore WordPress.WP.GlobalVariablesOverride
	}

	/**
	 * Does what WordPress does before a page is shown: some plugins send visitors away there, and plugins for
	 * search engines print their marks.
	 *
	 * @param array $sent The headers that are not of the page.
	 * @throws Sheaf_Held If the visitor is sent away, or the page says noindex.
	 */
	private static function visit( $sent ) {
		$canonical = has_action( 'template_redirect', 'redirect_canonical' );
		remove_action( 'template_redirect', 'redirect_canonical', $canonical );
		ob_start();
		try {
			do_action( 'template_redirect' );
			ob_clean();
			do_action( 'wp_head' );
			$head = ob_get_clean();
		} finally {
			if ( false !== $canonical ) {
				add_action( 'template_redirect', 'redirect_canonical', $canonical );
			}
		}
		if ( preg_match_all( '/<meta\b[^>]*>/i', $head, $tags ) ) {
			foreach ( $tags[0] as $tag ) {
				if ( preg_match( '/name\s*=\s*["\']?robots/i', $tag ) && preg_match( '/\b(noindex|none)\b/i', preg_replace( '/max-\w+-preview:\s*none/i', '', $tag ) ) ) {
					throw new Sheaf_Held( 'noindex' );
				}
			}
		}
		foreach ( array_diff( headers_list(), $sent ) as $header ) {
			if ( preg_match( '/^x-robots-tag:.*\b(noindex|none)\b/i', $header ) ) {
				throw new Sheaf_Held( 'noindex' );
			}
		}
	}

	/**
	 * The fields of the page, with the filters of all plugins.
	 *
	 * @param WP_Post $post The post.
	 * @throws Sheaf_Held If the post asks for a password.
	 */
	private static function fields( $post ) {
		the_post();
		if ( post_password_required( $post ) ) {
			throw new Sheaf_Held( 'password' );
		}
		$GLOBALS['more'] = 1; // phpcs:ignore WordPress.WP.GlobalVariablesOverride
		$html            = '';
		foreach ( $GLOBALS['pages'] as $number => $unused ) {
			$GLOBALS['page'] = $number + 1; // phpcs:ignore WordPress.WP.GlobalVariablesOverride
			ob_start();
			the_content();
			$html .= ob_get_clean();
		}
		if ( 'attachment' === $post->post_type && '' === trim( wp_strip_all_tags( $html ) ) && '' === $post->post_excerpt ) {
			throw new Sheaf_Held( 'an attachment without text' );
		}
		$page = array(
			'url'       => get_permalink( $post ),
			'title'     => self::plain( get_the_title( $post ) ),
			'html'      => $html,
			'author'    => self::plain( get_the_author_meta( 'display_name', $post->post_author ) ),
			'language'  => self::language( $post ),
			'published' => get_post_time( 'Y-m-d\TH:i:s\Z', true, $post ),
			'modified'  => get_post_modified_time( 'Y-m-d\TH:i:s\Z', true, $post ),
		);
		if ( has_excerpt( $post ) ) {
			$page['description'] = self::plain( get_the_excerpt( $post ) );
		}
		return apply_filters( 'sheaf_page', $page, $post );
	}

	/**
	 * The language of a post: Polylang and WPML know one for each.
	 *
	 * @param WP_Post $post The post.
	 */
	private static function language( $post ) {
		$language = function_exists( 'pll_get_post_language' ) ? (string) pll_get_post_language( $post->ID, 'locale' ) : '';
		if ( '' === $language && has_filter( 'wpml_post_language_details' ) ) {
			$details  = apply_filters( 'wpml_post_language_details', null, $post->ID );
			$language = is_array( $details ) ? (string) ( $details['locale'] ?? '' ) : '';
		}
		return str_replace( '_', '-', '' === $language ? get_bloginfo( 'language' ) : $language );
	}

	/**
	 * A text without markup.
	 *
	 * @param string $html The text as HTML.
	 */
	private static function plain( $html ) {
		return trim( html_entity_decode( wp_strip_all_tags( $html ), ENT_QUOTES | ENT_HTML5, 'UTF-8' ) );
	}

	/**
	 * Replaces a redirect.
	 *
	 * @throws Sheaf_Held Always.
	 */
	public static function refuse() {
		throw new Sheaf_Held( 'visitors are sent away' );
	}

	/**
	 * Replaces the end of the program.
	 */
	public static function die_handler() {
		return array( __CLASS__, 'refuse' );
	}
}
