"""Sites of content systems written in PHP, for sites.py: DokuWiki, MediaWiki and WordPress. Each is set up in the
site's own folder (pages and settings in files, SQLite, or a MariaDB that listens on a socket there and ends with the
build), and its pages are fetched through php-cgi: no web server, no port. The programs are Debian's packages."""
import json
import os
import shutil
import subprocess
import time

from wiki_pages import DOKUWIKI, MEDIAWIKI, WORDPRESS, classic


class PhpSite:
    """A site in a folder, made by a PHP program from Debian."""

    def __init__(self, tools, folder, program):
        self.tools, self.folder = tools, folder
        tools.need("php-cgi")
        self.program = os.path.join("/usr/share", program)
        if not os.path.isdir(self.program):
            raise tools.Missing(f"{program} is not installed")

    def prepend(self, code):
        """Writes PHP code that runs before the program and tells it where its settings are."""
        self.tools.write(f"{self.folder}/prepend.php", f"<?php\n{code}\n")

    def command(self, program="php-cgi"):
        return [program, "-d", f"auto_prepend_file={self.folder}/prepend.php", "-d", "error_reporting=0",
                "-d", "display_errors=0"]

    def fetch(self, name, script, query, uri=None, host="notes.example"):
        """Requests a page and writes its HTML to the site."""
        request = {"GATEWAY_INTERFACE": "CGI/1.1", "REQUEST_METHOD": "GET", "REDIRECT_STATUS": "1", "SERVER_NAME": host,
                   "HTTP_HOST": host, "SERVER_PORT": "80", "SERVER_PROTOCOL": "HTTP/1.1", "REMOTE_ADDR": "127.0.0.1",
                   "SCRIPT_FILENAME": script, "SCRIPT_NAME": "/" + os.path.basename(script), "QUERY_STRING": query,
                   "REQUEST_URI": uri or f"/{os.path.basename(script)}?{query}",
                   "DOCUMENT_ROOT": os.path.dirname(script), "PATH": os.environ["PATH"]}
        result = subprocess.run(self.command(), env=request, cwd=os.path.dirname(script), capture_output=True, timeout=120)
        head, _, body = result.stdout.replace(b"\r\n", b"\n", 20).partition(b"\n\n")
        if result.returncode != 0 or b"</html>" not in body:
            raise self.tools.Missing(f"php-cgi gave no page for {query}: {(head + body + result.stderr)[-400:]!r}")
        self.tools.write(f"{self.folder}/site.tmp/{name}.html", body)

    def finish(self):
        os.rename(f"{self.folder}/site.tmp", f"{self.folder}/site")


def build_dokuwiki(tools, folder):
    site = PhpSite(tools, folder, "dokuwiki")
    shutil.copytree("/etc/dokuwiki", f"{folder}/conf", dirs_exist_ok=True, symlinks=True)
    for name in ("acl.auth.php", "users.auth.php"):
        if os.path.lexists(f"{folder}/conf/{name}"):
            os.remove(f"{folder}/conf/{name}")
    for name in ("attic", "cache", "index", "locks", "log", "media", "media_attic", "media_meta", "meta", "pages", "tmp"):
        os.makedirs(f"{folder}/data/{name}", exist_ok=True)
    tools.write(f"{folder}/conf/local.php", "<?php\n$conf['title'] = 'Recorder wiki';\n$conf['useacl'] = 0;\n"
                f"$conf['savedir'] = '{folder}/data';\n")
    site.prepend(f"define('DOKU_CONF', '{folder}/conf/');")
    tools.write(f"{folder}/data/media/window.png", tools.png())
    for name, text in DOKUWIKI.items():
        tools.write(f"{folder}/data/pages/{name}.txt", text)
    for name in DOKUWIKI:
        site.fetch(name, f"{site.program}/doku.php", f"id={name}")
    site.finish()


def build_mediawiki(skin):
    def build(tools, folder):
        site = PhpSite(tools, folder, "mediawiki")
        tools.need("php")
        site.prepend(f"if (is_file('{folder}/LocalSettings.php') && !defined('MW_CONFIG_FILE')) "
                     f"define('MW_CONFIG_FILE', '{folder}/LocalSettings.php');")
        maintenance = f"{site.program}/maintenance"
        run = site.command("php")
        tools.write(f"{folder}/images/window.png", tools.png())
        tools.run(run + [f"{maintenance}/install.php", "--dbtype", "sqlite", "--dbpath", f"{folder}/data", "--confpath", folder,
                         "--pass", "recorder-manual-1", "--server", "http://notes.example", "--scriptpath", "",
                         "--lang", "en", "Recorder wiki", "Clerk"], folder)
        with open(f"{folder}/LocalSettings.php", encoding="utf-8") as file:
            settings = file.read()
        extensions = "".join(f"wfLoadExtension('{e}', '{site.program}/extensions-core/{e}/extension.json');\n"
                             for e in ("Cite", "SyntaxHighlight_GeSHi"))
        skins = "".join(f"wfLoadSkin('{s}');\n" for s in ("Vector", "MonoBook", "Timeless") if f"wfLoadSkin( '{s}' )" not in settings)
        tools.write(f"{folder}/LocalSettings.php", settings + f"\n{skins}$wgDefaultSkin = '{skin}';\n$wgEnableUploads = true;\n"
                    f"$wgUploadDirectory = '{folder}/images';\n$wgUseImageResize = false;\n$wgMainCacheType = CACHE_NONE;\n"
                    f"$wgPygmentizePath = '{shutil.which('pygmentize') or ''}';\n" + extensions)
        tools.run(run + [f"{maintenance}/importImages.php", "--comment", "window", "--user", "Clerk", f"{folder}/images"], folder)
        for name, text in MEDIAWIKI.items():
            tools.run(run + [f"{maintenance}/edit.php", "--user", "Clerk", name], folder, given=text)
        for name in MEDIAWIKI:
            site.fetch(name, f"{site.program}/index.php", f"title={name}", f"/index.php/{name}")
        site.finish()
    return build


class Database:
    """A MariaDB that listens on a socket in the folder."""

    def __init__(self, tools, folder):
        self.tools, self.folder = tools, folder
        for program in ("mariadbd", "mariadb-install-db"):
            tools.need(program)

    def __enter__(self):
        data, self.socket = f"{self.folder}/database", f"{self.folder}/db.sock"
        if len(self.socket) > 100:  # the system limits the length of socket names
            raise self.tools.Missing(f"the folder's name is too long for a socket: {self.folder}")
        shutil.rmtree(data, ignore_errors=True)
        os.makedirs(data)
        user = [f"--user={'root' if os.getuid() == 0 else os.environ.get('USER', '')}"]
        self.tools.run(["mariadb-install-db", "--no-defaults", f"--datadir={data}", "--auth-root-authentication-method=normal",
                        "--skip-test-db"] + user, self.folder)
        with open(f"{self.folder}/database.log", "wb") as log:
            self.process = subprocess.Popen(["mariadbd", "--no-defaults", f"--datadir={data}", f"--socket={self.socket}",
                                             "--skip-networking", "--skip-grant-tables", "--innodb-buffer-pool-size=32M"] + user,
                                            stdout=log, stderr=log)
        for _ in range(600):
            if os.path.exists(self.socket) or self.process.poll() is not None:
                return self
            time.sleep(0.1)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(60)


WORDPRESS_SETUP = r"""<?php
define('WP_INSTALLING', true);
require 'wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
require_once ABSPATH . 'wp-admin/includes/image.php';
wp_install('Recorder notes', 'jane', 'jane@notes.example', true, '', 'recorder');
foreach (get_posts(['numberposts' => -1, 'post_type' => 'any', 'post_status' => 'any']) as $old) wp_delete_post($old->ID, true);
switch_theme($argv[1]);
update_option('permalink_structure', '/%postname%/');
$names = json_decode(file_get_contents($argv[2]), true);
$image = wp_insert_attachment(['post_mime_type' => 'image/png', 'post_title' => 'Cover', 'post_status' => 'inherit'], 'cover.png');
wp_update_attachment_metadata($image, ['width' => 800, 'height' => 400, 'file' => 'cover.png', 'sizes' => []]);
update_post_meta($image, '_wp_attachment_image_alt', 'A recorder on a desk');
$day = 1;
foreach ($names as $name => [$title, $text]) {
  $id = wp_insert_post(['post_name' => $name, 'post_title' => $title, 'post_content' => $text, 'post_status' => 'publish',
                        'post_author' => 1, 'post_date' => '2024-05-0' . $day++ . ' 10:00:00', 'post_type' => 'post'], true);
  if (is_wp_error($id)) { fwrite(STDERR, $id->get_error_message()); exit(1); }
  if ($name == 'guide') set_post_thumbnail($id, $image);
  foreach (['I have used this for years and never lost a record.', 'Mine stopped after the second start, what now?'] as $said)
    wp_insert_comment(['comment_post_ID' => $id, 'comment_author' => 'A reader', 'comment_content' => $said, 'comment_approved' => 1]);
}
"""


def build_wordpress(theme):
    def build(tools, folder):
        site = PhpSite(tools, folder, "wordpress")
        tools.need("php")
        themes = os.path.join(site.program, "wp-content/themes")
        if not os.path.isdir(os.path.join(themes, theme)):
            raise tools.Missing(f"WordPress's theme {theme} is not in {themes}")
        os.makedirs(f"{folder}/wp/wp-content", exist_ok=True)
        for name in os.listdir(site.program):  # scripts find the site by their own location
            if name.endswith(".php") and name != "wp-config.php":
                shutil.copy(os.path.join(site.program, name), f"{folder}/wp/{name}")
        for name, target in (("wp-includes", "wp-includes"), ("wp-admin", "wp-admin"), ("wp-content/themes", "wp-content/themes")):
            if not os.path.lexists(f"{folder}/wp/{name}"):
                os.symlink(os.path.join(site.program, target), f"{folder}/wp/{name}")
        site.prepend("")
        with Database(tools, folder) as database:
            tools.write(f"{folder}/wp/wp-config.php", f"""<?php
define('DB_NAME', 'wordpress'); define('DB_USER', 'root'); define('DB_PASSWORD', ''); define('DB_HOST', 'localhost:{database.socket}');
define('WP_HOME', 'http://notes.example'); define('WP_SITEURL', 'http://notes.example');
define('WP_HTTP_BLOCK_EXTERNAL', true); define('DISABLE_WP_CRON', true); define('WP_AUTO_UPDATE_CORE', false);
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
""")
            tools.run(site.command("php") + ["-r", f"$c = mysqli_connect('localhost', 'root', '', '', 0, '{database.socket}');"
                                             "exit($c && mysqli_query($c, 'CREATE DATABASE wordpress') ? 0 : 1);"], folder)
            pages = {name: [title, classic(text) if theme == "twentytwentyone" else text]
                     for name, (title, text) in WORDPRESS.items()}
            tools.write(f"{folder}/pages.json", json.dumps(pages))
            tools.write(f"{folder}/wp/setup.php", WORDPRESS_SETUP)
            tools.run(site.command("php") + ["setup.php", theme, f"{folder}/pages.json"], f"{folder}/wp",
                      HTTP_HOST="notes.example", SERVER_NAME="notes.example", REQUEST_URI="/")
            for name in WORDPRESS:
                site.fetch(name, f"{folder}/wp/index.php", "", f"/{name}/")
            site.fetch("home", f"{folder}/wp/index.php", "", "/")
        site.finish()
    return build


PHP_BUILDERS = {
    "dokuwiki": build_dokuwiki, "mediawiki-vector": build_mediawiki("vector"), "mediawiki-monobook": build_mediawiki("monobook"),
    "mediawiki-timeless": build_mediawiki("timeless"),
    "wordpress-classic": build_wordpress("twentytwentyone"), "wordpress-block": build_wordpress("twentytwentythree"),
}
