<?php
/**
 * Plugin Name:       Sheaf
 * Description:       Hands the public pages of the site to sheaf publish, as an anonymous visitor sees them.
 * Version:           0.1.0
 * Requires at least: 6.0
 * Requires PHP:      7.4
 * License:           GPL-2.0-or-later
 * License URI:       https://www.gnu.org/licenses/old-licenses/gpl-2.0.html
 * Text Domain:       sheaf
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * @package sheaf
 */

defined( 'ABSPATH' ) || exit;

define( 'SHEAF_FILE', __FILE__ );
foreach ( array( 'visibility', 'renderer', 'export', 'runner', 'changes', 'rest', 'settings' ) as $sheaf_part ) {
	require_once __DIR__ . "/includes/class-sheaf-$sheaf_part.php";
}

Sheaf_Changes::register();
Sheaf_Rest::register();
Sheaf_Settings::register();

if ( defined( 'WP_CLI' ) && WP_CLI ) {
	require_once __DIR__ . '/includes/class-sheaf-command.php';
	WP_CLI::add_command( 'sheaf', 'Sheaf_Command' );
}
