<?php
/**
 * Removes the settings. The folder with the exported pages stays: it is outside of WordPress.
 *
 * @package sheaf
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

foreach ( array( 'sheaf_settings', 'sheaf_changed', 'sheaf_last_run' ) as $sheaf_option ) {
	delete_option( $sheaf_option );
}
wp_clear_scheduled_hook( 'sheaf_run' );
