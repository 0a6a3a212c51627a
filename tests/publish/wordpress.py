#!/usr/bin/env python3
"""A real WordPress on a real MariaDB behind nginx: installed, filled, published with the configuration that --init writes, examined by
`sheaf doctor`, pulled and compared with what visitors see.

usage: wordpress.py --sheaf PROGRAM [--posts N]
Without WordPress (/usr/share/wordpress), PHP, MariaDB or nginx it is skipped: exit status 77.
"""
import argparse
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request

import mariadb_server
from recipes import Server, check, free_port, need

PASSWORD = "it's a \\secret\" $word"
WORDPRESS = pathlib.Path("/usr/share/wordpress")
# Debian 12 and 13 package different themes. The first that is installed; a classic one before block themes.
THEMES = ["twentytwentyone", "twentytwentythree", "twentytwentyfour", "twentytwentyfive"]
THEME = next((theme for theme in THEMES if (WORDPRESS / "wp-content/themes" / theme).exists()), THEMES[0])

# Posts as both editors store them. {n} makes each one different.
CLASSIC = """The first paragraph of post {n} is "quoted" &amp; has <strong>bold</strong> words.

A second one,
with a line break.
<h2>A heading of {n}</h2>
<ul>
	<li>one</li>
	<li>two {n}</li>
</ul>
<pre>verbatim

  text {n}</pre>
[caption id="x" width="10"]<img src="/a.png" alt="" /> The caption of {n}[/caption]
After the list [not a shortcode]."""
BLOCKS = """<!-- wp:paragraph -->
<p>The first paragraph of block post {n}, with a <a href="/x">link</a>.</p>
<!-- /wp:paragraph -->

<!-- wp:heading -->
<h2>Heading {n}</h2>
<!-- /wp:heading -->

<!-- wp:quote -->
<blockquote class="wp-block-quote"><p>A quotation of {n}</p><cite>Anna</cite></blockquote>
<!-- /wp:quote -->"""

FILL = r"""
wp_defer_term_counting(true); remove_action('publish_post', '_publish_post_hook', 5); $wpdb->query('START TRANSACTION');
foreach (['News', 'Rest & More', 'Änderungen'] as $i => $name) $category[$i] = wp_insert_category(['cat_name' => $name]);
$child = wp_insert_category(['cat_name' => 'Deep', 'category_parent' => $category[0]]);
function post($values) { $id = wp_insert_post(wp_slash($values), true); if (is_wp_error($id)) die($id->get_error_message()); return $id; }
for ($n = 1; $n <= $count; $n++)
  post(['post_title' => "Post $n & more", 'post_status' => 'publish', 'post_author' => 1, 'post_date' => date('Y-m-d H:i:s', 1600000000 + $n * 86400),
        'post_content' => str_replace('{n}', $n, $n % 2 ? $classic : $blocks), 'post_excerpt' => $n % 3 ? '' : "Excerpt <em>of</em> $n",
        'post_category' => $n % 5 ? [$category[$n % 3]] : [$child]]);
$about = post(['post_type' => 'page', 'post_title' => 'About', 'post_status' => 'publish', 'post_content' => 'Page text that says about.']);
$team = post(['post_type' => 'page', 'post_title' => 'Team', 'post_parent' => $about, 'post_status' => 'publish', 'post_content' => 'Page text of the team.']);
post(['post_type' => 'page', 'post_title' => 'Anna', 'post_parent' => $team, 'post_status' => 'publish', 'post_content' => 'Page text about Anna.']);
$front = post(['post_type' => 'page', 'post_title' => 'Welcome', 'post_status' => 'publish', 'post_content' => 'Page text of the front page.']);
$blog = post(['post_type' => 'page', 'post_title' => 'Blog', 'post_status' => 'publish', 'post_content' => '']);
update_option('show_on_front', 'page'); update_option('page_on_front', $front); update_option('page_for_posts', $blog);
foreach (['draft', 'pending', 'private', 'trash', 'future'] as $status)
  post(['post_title' => "HIDDEN $status", 'post_name' => "hidden-$status", 'post_status' => $status, 'post_content' => 'HIDDEN text',
        'post_date' => $status == 'future' ? '2099-01-01 00:00:00' : '2020-01-01 00:00:00']);
post(['post_title' => 'HIDDEN password', 'post_status' => 'publish', 'post_password' => 'x', 'post_content' => 'HIDDEN text']);
add_post_meta(post(['post_title' => 'HIDDEN noindex', 'post_status' => 'publish', 'post_content' => 'HIDDEN text']), '_yoast_wpseo_meta-robots-noindex', '1');
wp_delete_post(1, true); wp_delete_post(2, true);
$wpdb->query('COMMIT'); wp_defer_term_counting(false);
"""

# Uses WordPress's own functions. Prints URL and type of everything that is public.
LIST_VISIBLE = """
$list = []; foreach (get_posts(['numberposts' => -1, 'post_type' => ['post', 'page'], 'has_password' => false]) as $p)
  if (!get_post_meta($p->ID, '_yoast_wpseo_meta-robots-noindex') && $p->ID != get_option('page_for_posts')) $list[get_permalink($p)] = $p->post_type;
echo json_encode($list);
"""


def php_text(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


class EntryText(html.parser.HTMLParser):
    """The text of the first element with this class."""

    VOID = {"img", "br", "hr", "input", "meta", "link", "wbr", "source"}

    def __init__(self, name="entry-content"):
        super().__init__()
        self.name, self.depth, self.done, self.text = name, 0, False, []

    def handle_starttag(self, tag, attributes):
        if self.depth and tag not in self.VOID:
            self.depth += 1
        elif not self.done and self.name in (dict(attributes).get("class") or "").split():
            self.depth = 1

    def handle_endtag(self, tag):
        if self.depth and tag not in self.VOID:
            self.depth -= 1
            self.done = self.depth == 0

    def handle_data(self, data):
        if self.depth:
            self.text.append(data)


def letters(text):
    """Returns a text without white space, which differs. WordPress stores straight quotes and shows typographic ones."""
    for curly, plain in (("\u201c", '"'), ("\u201d", '"'), ("\u2033", '"'), ("\u2018", "'"), ("\u2019", "'"), ("\u00a0", " ")):
        text = text.replace(curly, plain)
    return "".join(text.split())


class WordPress:
    def __init__(self, folder, server, posts):
        self.folder, self.posts = folder / "blog", posts
        shutil.copytree(WORDPRESS, self.folder, symlinks=True)
        self.port, self.php_port, self.servers = free_port(), free_port(), []
        self.home = f"http://127.0.0.1:{self.port}"
        # Caches compiled scripts: a small PHP process spends half of its time compiling WordPress.
        (folder / "opcache").mkdir()
        self.php = ["php", "-d", "opcache.enable_cli=1", "-d", f"opcache.file_cache={folder}/opcache"]
        server.execute("CREATE DATABASE blog CHARACTER SET utf8mb4; CREATE USER wp@localhost IDENTIFIED BY " + literal(PASSWORD) + "; GRANT ALL ON blog.* TO wp@localhost")
        (self.folder / "wp-config.php").write_text(
            "<?php\n// define('DB_NAME', 'wrong');\n/* define( 'DB_NAME', 'wrong' ); */\ndefine( 'DB_NAME', 'blog' );\ndefine(\"DB_USER\", 'wp');\n"
            f"define( 'DB_PASSWORD', {php_text(PASSWORD)} );\ndefine( 'DB_HOST', 'localhost:{server.socket}' );\ndefine( 'DB_CHARSET', 'utf8mb4' );\n"
            "define( 'DISABLE_WP_CRON', true );\n$table_prefix = 'wq_';\n"
            "if ( ! defined( 'ABSPATH' ) ) define( 'ABSPATH', __DIR__ . '/' );\nrequire_once ABSPATH . 'wp-settings.php';\n")
        (folder / "router.php").write_text("<?php if (is_file($_SERVER['DOCUMENT_ROOT'] . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH))) return false;\n"
                                           f"require '{self.folder}/index.php';\n")
        self.run("require_once ABSPATH . 'wp-admin/includes/upgrade.php'; function wp_mail() { return true; }\n"
                 f"wp_install('The blog', 'admin', 'a@example.com', true, '', 'pw'); update_option('home', '{self.home}'); update_option('siteurl', '{self.home}');",
                 installing=True)
        self.run(f"switch_theme('{THEME}'); require_once ABSPATH . 'wp-admin/includes/taxonomy.php'; $count = {posts}; $classic = {php_text(CLASSIC)}; "
                 f"$blocks = {php_text(BLOCKS)};" + FILL)
        self.visible = self.set_structure("/%year%/%monthnum%/%postname%/")
        # PHP logs each request, which is more than a pipe can hold.
        self.servers.append(Server(["sh", "-c", 'exec "$@" 2> /dev/null', "sh", *self.php, "-S", f"127.0.0.1:{self.php_port}", "-t", str(self.folder),
                                    str(folder / "router.php")], self.php_port))

    def start_nginx(self, folder, recipe):
        """Starts nginx as on a real host: it serves files itself and passes everything else to PHP."""
        folder.mkdir()
        to_php = f"proxy_pass http://127.0.0.1:{self.php_port}; proxy_set_header Host $http_host;"
        (folder / "nginx.conf").write_text(
            f"{'user root;' if os.getuid() == 0 else ''}\ndaemon off;\npid {folder}/pid;\nerror_log stderr;\nevents {{ }}\nhttp {{\n"
            f"access_log off;\ninclude /etc/nginx/mime.types;\ndefault_type application/octet-stream;\n"
            f"client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c; uwsgi_temp_path {folder}/d;\n"
            f"scgi_temp_path {folder}/e;\nserver {{\nlisten 127.0.0.1:{self.port};\nroot \"{self.folder}\";\n{recipe}\n"
            f"location / {{ try_files $uri @php; }}\nlocation ~ \\.php {{ {to_php} }}\nlocation @php {{ {to_php} }}\n}}\n}}\n")
        self.servers.append(Server([need("nginx"), "-p", str(folder), "-c", str(folder / "nginx.conf")], self.port))

    def run(self, program, installing=False):
        begin = "define('WP_INSTALLING', true);" if installing else ""
        source = f"<?php $_SERVER['HTTP_HOST'] = '127.0.0.1:{self.port}'; $_SERVER['REQUEST_URI'] = '/'; {begin}\n" \
                 f"require '{self.folder}/wp-load.php';\n{program}\n"
        done = subprocess.run(self.php, input=source, capture_output=True, text=True)
        check(done.returncode == 0 and "Fatal" not in done.stdout, done.stdout[-2000:], done.stderr[-2000:])
        return done.stdout

    def set_structure(self, structure):
        """Sets the permalink structure. Returns what is visible then."""
        return json.loads(self.run(f"update_option('permalink_structure', {php_text(structure)}); global $wp_rewrite; $wp_rewrite->init(); flush_rewrite_rules();"
                                   + LIST_VISIBLE))

    def get(self, url):
        with urllib.request.urlopen(url, timeout=60) as response:
            return response.read().decode()

    def stop(self):
        for server in reversed(self.servers):
            server.stop()


def literal(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'"


class Sheaf:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def __call__(self, *arguments, status=0):
        done = subprocess.run([self.program, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True)
        check(done.returncode == status, arguments, "exit status", done.returncode, done.stdout, done.stderr)
        check(PASSWORD not in done.stdout + done.stderr, "the password is in the output")
        return done.stdout


def stored_pages(sheaf, store):
    return {page["url"]: page for page in map(json.loads, sheaf("export", "--store", store).splitlines())}


def text_of(block):
    parts = [block.get("text", ""), block.get("caption", ""), block.get("code", ""), block.get("citation", "")]
    for item in block.get("items", []):
        parts.append(item if isinstance(item, str) else text_of(item))
    return " ".join(part for part in parts if part)


def check_public_pages(blog, pages, sample):
    """Checks that the stored page has the words between the title and the footer of the public page."""
    for url in sample:
        parser = EntryText()
        parser.feed(blog.get(url))
        public = letters("".join(parser.text))
        stored = letters(" ".join(text_of(block) for block in pages[url]["content"]))
        check(stored == public, url, "\nstored:", stored, "\npublic:", public)


def check_published(sheaf, blog, store):
    sheaf("publish")
    sheaf("pull", blog.home, "--store", store, "--allow-private", "--allow-http")
    pages = stored_pages(sheaf, store)
    visible = blog.visible
    check(sorted(pages) == sorted(visible), "in the store:", len(pages), "visible:", len(visible), sorted(set(pages) ^ set(visible))[:5])
    check("HIDDEN" not in json.dumps(list(pages.values())), "a hidden post was published")
    return pages


def test_round_trip(sheaf, blog, folder):
    out = sheaf("publish", "--init")
    check("found WordPress (wp-config.php)" in out and f"{blog.posts + 1} posts and 5 pages" in out and "category news" in out, out)
    config = (blog.folder / "sheaf.toml").read_text()
    check(f'base = "{blog.home}"' in config and PASSWORD not in config and '#categories = ["news"]' in config, config)
    blog.start_nginx(folder / "nginx", sheaf("publish", "--recipe", "nginx"))
    # As docs/publish-cms.md says: WordPress's own robots.txt as a file, and the line in it.
    (blog.folder / "robots.txt").write_text(blog.get(blog.home + "/robots.txt"))
    sheaf("publish", "--write-robots")
    robots = (blog.folder / "robots.txt").read_text()
    check("Disallow: /wp-admin/" in robots and f"Sitemap: {blog.home}/sitemap.xml" in robots, robots)
    store = folder / "store"
    pages = check_published(sheaf, blog, store)
    first = min(url for url in pages if "post-3-" in url)
    page = pages[first]
    check(page["title"] == "Post 3 & more" and page["description"] == "Excerpt of 3" and page["author"] == "admin" and page["language"] == "en-US", page)
    check(page["published"] == "2020-09-16T12:26:40Z", page["published"])
    ordered = sorted(pages)
    check_public_pages(blog, pages, ordered[::max(1, len(ordered) // 7)] + [blog.home + "/"])
    return pages, store


def test_doctor(sheaf, blog):
    """In the deployment that the docs describe, doctor finds nothing to fix; without the line in robots.txt it does."""
    examine = lambda status: json.loads(sheaf("doctor", blog.home, "--allow-private", "--allow-http", "--delay", "0", "--json", status=status))
    report = examine(0)
    check(report["ok"] and not report["findings"] and not report["unchecked"], report)
    robots = (blog.folder / "robots.txt").read_text()
    (blog.folder / "robots.txt").write_text(robots.replace(f"Sitemap: {blog.home}/sitemap.xml\n", ""))
    report = examine(1)
    check(report["findings"], report)
    (blog.folder / "robots.txt").write_text(robots)


def test_changes(sheaf, blog, store, before):
    blog.visible = json.loads(blog.run(
             "$p = get_posts(['numberposts' => 3, 'orderby' => 'ID', 'order' => 'ASC']); "
             "wp_update_post(['ID' => $p[0]->ID, 'post_content' => 'Edited text of this post.']); wp_trash_post($p[1]->ID); "
             "wp_update_post(['ID' => $p[2]->ID, 'post_status' => 'private']); "
             "wp_insert_post(['post_title' => 'Brand new', 'post_status' => 'publish', 'post_content' => 'New text.']);" + LIST_VISIBLE))
    pages = check_published(sheaf, blog, store)
    deltas = list((blog.folder / "scp").glob("posts-delta-*.zst"))
    check(len(deltas) == 1, deltas)
    lines = sheaf("inspect", deltas[0], "--json")
    check(len(set(before) - set(pages)) == 2 and len(set(pages) - set(before)) == 1, sorted(set(before) ^ set(pages)))
    changed = [url for url in pages if url in before and pages[url]["content"] != before[url]["content"]]
    check(len(changed) == 1 and "Edited text" in json.dumps(pages[changed[0]]), changed, lines)
    check_public_pages(blog, pages, changed)


def test_structures(sheaf, blog, folder):
    config = (blog.folder / "sheaf.toml").read_text()
    for number, structure in enumerate(["", "/%category%/%postname%/", "/index.php/%author%/%post_id%", "/%year%/%monthnum%/%day%/%hour%-%minute%-%second%/%postname%.html"]):
        visible = blog.set_structure(structure)
        other = folder / f"structure{number}"
        other.mkdir()
        text = config.replace('config = "', f'config = "{blog.folder}/').replace("../blog.sheaf", "state")
        (other / "sheaf.toml").write_text(text)
        Sheaf(sheaf.program, other)("publish")
        urls = set()
        for file in (other / "scp").glob("*snapshot*.zst"):
            lines = Sheaf(sheaf.program, other)("inspect", file, "--pages", "--json")
            urls |= set(re.findall(re.escape(blog.home) + r'[^"\\ ]*', lines))
        check(set(visible) <= urls, structure, sorted(set(visible) - urls)[:3], sorted(urls)[:3])


def test_sections(sheaf, blog, folder):
    other = folder / "sections"
    other.mkdir()
    source = f'[[section.source]]\ntype = "wordpress"\nconfig = "{blog.folder}/wp-config.php"\ntypes = ["post"]\n'
    (other / "sheaf.toml").write_text(f'base = "{blog.home}"\nout = "scp"\n[[section]]\nname = "news"\n{source}categories = ["news", "deep"]\n'
                                      f'[[section]]\nname = "rest"\n{source}without_categories = ["news", "deep"]\n')
    report = json.loads(Sheaf(sheaf.program, other)("publish", "--json"))
    counts = [section["pages"] for section in report["sections"]]
    posts = sum(1 for kind in blog.visible.values() if kind == "post")
    check(min(counts) > 0 and sum(counts) == posts, counts, posts)


def test_settings_elsewhere(sheaf, blog, folder):
    """The layout of Debian's package: the settings are in /etc, and sheaf.toml is not in the folder of WordPress."""
    other = folder / "elsewhere"
    (other / "etc").mkdir(parents=True)
    settings = other / "etc/config-blog.example.php"
    shutil.copy(blog.folder / "wp-config.php", settings)
    here = Sheaf(sheaf.program, other)
    out = here("publish", "--init", str(settings))
    check(f"found WordPress ({settings})" in out and "next: let the web server send scp/, sitemap.xml and robots.txt" in out, out)
    check(f'config = "{settings}"' in (other / "sheaf.toml").read_text(), out)
    report = json.loads(here("publish", "--json"))
    check(sum(section["pages"] for section in report["sections"]) == len(blog.visible), report["sections"])


def test_mistakes(sheaf, blog, folder):
    """Checks the messages of --init and publish if wp-config.php is not as expected, or the database does not answer."""
    other = folder / "mistakes"
    other.mkdir()
    text = (blog.folder / "wp-config.php").read_text()
    run = lambda *arguments: subprocess.run([sheaf.program, *arguments], cwd=other, capture_output=True, text=True)
    (other / "wp-config.php").write_text(text.replace("'DB_USER'", "'X'").replace('"DB_USER"', "'X'"))
    done = run("publish", "--init")
    check(done.returncode != 0 and "does not define DB_USER" in done.stderr, done.stderr)
    (other / "wp-config.php").write_text(text.replace("'wq_'", "'wq_; DROP'"))
    done = run("publish", "--init")
    check(done.returncode != 0 and "letters, digits and _ only" in done.stderr, done.stderr)
    (other / "wp-config.php").write_text(text.replace("secret", "other"))
    done = run("publish", "--init", "--base", blog.home)
    check(done.returncode == 0 and "its database was not read" in done.stdout and "Access denied" in done.stdout, done.stdout, done.stderr)
    done = run("publish", "--base", blog.home)
    check(done.returncode == 2 and "--base needs a folder of pages or --init" in done.stderr, done.stderr)
    done = run("publish")
    check(done.returncode == 2 and "Access denied" in done.stderr and not list(other.glob("scp/*")), done.stderr)


def missing_programs():
    php = shutil.which("php")
    modules = subprocess.run([php, "-m"], capture_output=True, text=True).stdout if php else ""
    # WordPress needs SimpleXML to make its own sitemap, which robots.txt names.
    found = {"WordPress with the theme " + THEME: (WORDPRESS / "wp-content/themes" / THEME).exists(), "PHP": php, "php-mysql": "mysqli" in modules,
             "php-xml": "SimpleXML" in modules, "MariaDB": mariadb_server.is_installed(), "nginx": shutil.which("nginx", path="/usr/sbin:/usr/bin")}
    return [name for name, is_found in found.items() if not is_found]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--sheaf", required=True, type=lambda name: str(pathlib.Path(name).resolve()))
    arguments.add_argument("--posts", type=int, default=300)
    options = arguments.parse_args()
    if missing := missing_programs():
        print("skipped: not installed:", ", ".join(missing))
        return 77
    server, blog = mariadb_server.MariadbServer(), None
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            blog = WordPress(folder, server, options.posts)
            sheaf = Sheaf(options.sheaf, blog.folder)
            pages, store = test_round_trip(sheaf, blog, folder)
            test_changes(sheaf, blog, store, pages)
            test_doctor(sheaf, blog)
            test_sections(sheaf, blog, folder)
            test_settings_elsewhere(sheaf, blog, folder)
            test_mistakes(sheaf, blog, folder)
            test_structures(sheaf, blog, folder)
            print("ok:", len(pages), "pages")
            return 0
    except AssertionError as fault:
        print("FAILED", fault)
        return 1
    finally:
        if blog is not None:
            blog.stop()
        server.stop()


if __name__ == "__main__":
    sys.exit(main())
