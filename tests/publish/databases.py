#!/usr/bin/env python3
"""Publishes from real databases: SQLite, and a PostgreSQL and a MariaDB server that the test starts.

usage: databases.py --sheaf PROGRAM [NAME...]
Without PostgreSQL or MariaDB, its tests are skipped and this is reported.
"""
import argparse
import functools
import glob
import json
import os
import pathlib
import pwd
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

import mariadb_server

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from cases import check, run_cases  # noqa: E402

COLUMNS = "url, title, description, author, published, modified, language"
PASSWORD = "correct-horse-battery"


class Site:
    def __init__(self, sheaf, folder, database, environment):
        self.sheaf, self.folder, self.database, self.environment = sheaf, folder, database, environment
        folder.mkdir()

    def publish(self, query, *arguments, status=0, database=None, settings="", **environment):
        query = query.replace('"', '\\"')
        (self.folder / "sheaf.toml").write_text(
            f'base = "https://shop.example"\nout = "scp"\n[[section]]\nname = "shop"\n[[section.source]]\ntype = "sql"\n'
            f'database = "{database or self.database}"\nquery = "{query}"\n{settings}')
        done = subprocess.run([self.sheaf, "publish", "--json", *arguments], cwd=self.folder, capture_output=True, text=True,
                              env={**self.environment, **environment})
        check(done.returncode == status or (status == "an error" and done.returncode in (1, 2)), f"exit status {done.returncode}, not {status}:", done.stdout, done.stderr)
        check(PASSWORD not in done.stdout + done.stderr, "the password is in", done.stderr)
        return json.loads(done.stdout)["sections"][0] if status == 0 else done.stderr

    def fail(self, query):
        """Runs a publish that must fail and returns its message."""
        return self.publish(query, status="an error")

    def pages(self):
        newest = max((self.folder / "scp").glob("*.zst"), key=lambda path: path.name.split("-")[2])
        plain = subprocess.run([self.sheaf, "convert", str(newest), str(self.folder / "plain.scp")], capture_output=True, text=True)
        check(plain.returncode == 0, plain.stderr)
        lines = (self.folder / "plain.scp").read_text().splitlines()
        return {page["url"]: page for page in map(json.loads, lines[1:])}


ROWS = [
    ("/lamp", "The lamp", "It gives light", "Anna", "2024-03-01", "2024-05-06 07:08:09", "en-GB", "<h2>Light</h2><p>A lamp &amp; more.</p>"),
    ("https://shop.example/stuhl", "Der Stuhl", None, None, None, None, "de", "<p>Ein Stuhl, auf dem man gut sitzt, wie jeder sagt.</p>"),
    ("/secret?b=2", "O'Brien; DROP", "x", None, None, None, "en", "<script>no()</script><p>Short.</p>"),
    (None, "Lost", "x", None, None, None, "en", "<p>Nobody finds me.</p>"),
    ("/odd", "Odd", "x", None, "some day", None, "en", "<p>When was it?</p>"),
    ("/empty", "Empty", "x", None, None, None, "en", None),
]


def check_shop(site, execute):
    query = f"SELECT {COLUMNS}, body AS html FROM pages ORDER BY id"
    report = site.publish(query)
    check(report["pages"] == 3 and report["leftOut"] == {"unreadable": 2, "no-content": 1}, report)
    pages = site.pages()
    check(sorted(pages) == ["https://shop.example/lamp", "https://shop.example/secret?b=2", "https://shop.example/stuhl"], pages)
    lamp = pages["https://shop.example/lamp"]
    check(lamp["title"] == "The lamp" and lamp["description"] == "It gives light" and lamp["author"] == "Anna", lamp)
    check(lamp["published"] == "2024-03-01T00:00:00Z" and lamp["modified"] == "2024-05-06T07:08:09Z" and lamp["language"] == "en-GB", lamp)
    check([block.get("text") for block in lamp["content"]] == ["Light", "A lamp & more."], lamp)
    check(pages["https://shop.example/stuhl"]["description"].startswith("Ein Stuhl"), pages)
    # First nothing changes; then one text and one title change, and one row is removed.
    check(site.publish(query)["unchanged"] == 3)
    execute("UPDATE pages SET body = '<p>Another text altogether.</p>' WHERE url = '/lamp'")
    execute("UPDATE pages SET title = 'The chair' WHERE title = 'Der Stuhl'")
    execute("DELETE FROM pages WHERE url LIKE '/secret%'")
    report = site.publish(query)
    check((report["changed"], report["removed"], report["unchanged"]) == (2, 1, 0), report)
    check(site.pages()["https://shop.example/stuhl"]["title"] == "The chair")


def check_bodies(site):
    text = "SELECT '/t' AS url, 'T' AS title, 'a < b & c\n\nsecond\nline' AS text"
    site.publish(text.replace("\n", "\\n"))
    blocks = [block["text"] for block in site.pages()["https://shop.example/t"]["content"]]
    check(blocks[0] == "a < b & c" and blocks[1].split() == ["second", "line"], blocks)
    site.publish("SELECT '/t' AS URL, 'T' AS title, '# Head\\n\\n*text* of it' AS markdown")
    blocks = [(block["type"], block["text"]) for block in site.pages()["https://shop.example/t"]["content"]]
    check(blocks == [("heading", "Head"), ("text", "text of it")], blocks)
    # A whole page is extracted: its menu is not content.
    page = "<!doctype html><html lang=en><title>x</title><nav><a href=/>Home</a></nav><main><h1>T</h1><p>" + "A sentence of the page. " * 20 + "</p></main>"
    site.publish(f"SELECT '/t' AS url, '{page}' AS html")
    check("Home" not in json.dumps(site.pages()), site.pages())


def check_mistakes(site):
    for query, message in [
        ("SELECT 'x' AS title, 'y' AS html", "gives no column `url`"),
        ("SELECT '/x' AS url", "`html`, `markdown` or `text`; this one gives none"),
        ("SELECT '/x' AS url, 'a' AS html, 'b' AS text", "this one gives several"),
        ("SELECT '/x' AS url, 'a' AS html, 'b' AS titel", "column `titel`, which is not known"),
        ("SELECT '/x' AS url, '/y' AS url, 'a' AS html", "two columns `url`"),
        ("SELECT FROM WHERE", "the query failed"),
        ("SELECT url FROM nothing_of_the_kind", "nothing_of_the_kind"),
        ("DELETE FROM pages", ""),
        ("SELECT '/x' AS url, 'a' AS html; DELETE FROM pages", ""),
    ]:
        error = site.fail(query)
        check(message in error, query, "->", error)
    check(not list((site.folder / "scp").glob("*.scp*")), "something was published")


def test_sqlite(sheaf, folder):
    database = folder / "shop.db"
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute(f"CREATE TABLE pages (id INTEGER PRIMARY KEY, {COLUMNS}, body)")
    connection.executemany(f"INSERT INTO pages ({COLUMNS}, body) VALUES (?,?,?,?,?,?,?,?)", ROWS)
    for name, test in (("shop", lambda site: check_shop(site, connection.execute)), ("bodies", check_bodies), ("mistakes", check_mistakes)):
        # Relative to sheaf.toml.
        test(Site(sheaf, folder / name, "sqlite:../shop.db", {"PATH": "/usr/bin:/bin"}))
    check(connection.execute("SELECT count(*) FROM pages").fetchone()[0] == 5, "a query changed the database")
    site = Site(sheaf, folder / "faults", "sqlite:../nothing.db", {"PATH": "/usr/bin:/bin"})
    check("cannot open the database" in site.fail("SELECT 1"))
    check(not (folder / "nothing.db").exists())
    (folder / "broken.db").write_bytes(b"This is no database, whatever its name says. " * 100)
    error = Site(sheaf, folder / "broken", "sqlite:../broken.db", {"PATH": "/usr/bin:/bin"}).fail("SELECT url, html FROM pages")
    check("not a database" in error, error)
    # Times as a count of seconds.
    site = Site(sheaf, folder / "counts", "sqlite:../shop.db", {"PATH": "/usr/bin:/bin"})
    site.publish("SELECT '/t' AS url, 1700000000 AS modified, 'Some text' AS text")
    check(site.pages()["https://shop.example/t"]["modified"] == "2023-11-14T22:13:20Z", site.pages())


class Postgres:
    """A separate server. It does not run as root, because PostgreSQL refuses that."""

    def __init__(self, programs, folder):
        self.programs, self.folder, self.how = pathlib.Path(programs), folder, {}
        if os.getuid() == 0:
            user = pwd.getpwnam("postgres" if any(entry.pw_name == "postgres" for entry in pwd.getpwall()) else "nobody")
            self.how = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
            os.chown(folder, user.pw_uid, user.pw_gid)
        os.chmod(folder, 0o755)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        secret = folder / "secret"
        secret.write_text(PASSWORD)
        secret.chmod(0o644)
        self.run("initdb", "-D", folder / "data", "-U", "shop", "--auth=scram-sha-256", f"--pwfile={secret}", "-N")
        self.process = subprocess.Popen([self.programs / "postgres", "-D", folder / "data", "-p", str(self.port), "-k", folder, "-h", "127.0.0.1",
                                         "-F"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **self.how)
        for _ in range(600):
            if self.process.poll() is not None:
                break
            if subprocess.run([self.programs / "pg_isready", "-h", "127.0.0.1", "-p", str(self.port)], capture_output=True).returncode == 0:
                return
            time.sleep(0.1)
        self.stop()
        raise AssertionError("PostgreSQL did not start")

    def run(self, program, *arguments):
        done = subprocess.run([self.programs / program, *arguments], cwd=self.folder, capture_output=True, text=True, **self.how)
        check(done.returncode == 0, program, done.stderr)

    def execute(self, statement):
        done = subprocess.run([self.programs / "psql", "-v", "ON_ERROR_STOP=1", "-qAt", "-h", "127.0.0.1", "-p", str(self.port), "-U", "shop", "-d",
                               "postgres", "-c", statement], capture_output=True, text=True, env={"PGPASSWORD": PASSWORD, "PATH": "/usr/bin:/bin"})
        check(done.returncode == 0, statement, done.stderr)
        return done.stdout.strip()

    def stop(self):
        self.process.terminate()
        self.process.wait()


def literal(value):
    return "NULL" if value is None else "'" + value.replace("'", "''") + "'"


def postgres_programs():
    found = shutil.which("initdb")
    folders = [os.path.dirname(os.path.realpath(found))] if found else sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    return folders[-1] if folders else None


def test_postgres(sheaf, folder):
    programs = postgres_programs()
    if programs is None:
        print("skipped postgres: it is not installed")
        return
    home = pathlib.Path(tempfile.mkdtemp(dir="/tmp"))
    server = Postgres(programs, home)
    try:
        server.execute("CREATE TABLE pages (id serial PRIMARY KEY, url text, title text, description text, author text, published text, "
                       "modified timestamptz, language text, body text)")
        for row in ROWS:
            row = [*row[:5], row[5] and row[5] + "+00", *row[6:]]
            server.execute(f"INSERT INTO pages ({COLUMNS}, body) VALUES ({', '.join(map(literal, row))})")
        url = f"postgresql://shop@127.0.0.1:{server.port}/postgres"
        right = {"PATH": "/usr/bin:/bin", "PGPASSWORD": PASSWORD, "PGTZ": "Asia/Tokyo", "PGDATESTYLE": "German"}
        for name, test in (("shop", lambda site: check_shop(site, server.execute)), ("bodies", check_bodies), ("mistakes", check_mistakes)):
            test(Site(sheaf, folder / name, url, right))
        check(server.execute("SELECT count(*) FROM pages") == "5", "a query changed the database")
        # A function that writes is also stopped.
        server.execute("CREATE FUNCTION harm() RETURNS text LANGUAGE sql AS 'DELETE FROM pages RETURNING url'")
        error = Site(sheaf, folder / "harm", url, right).fail("SELECT harm() AS url, 'x' AS html")
        check("read-only" in error, error)
        # The password: in a file, wrong, missing, and in the wrong place.
        site = Site(sheaf, folder / "password", url, {"PATH": "/usr/bin:/bin", "HOME": str(folder)})
        query = "SELECT '/t' AS url, 'Some text' AS text"
        error = site.fail(query)
        check("no password supplied" in error, error)
        site.environment["PGPASSWORD"] = "wrong-" + PASSWORD[::-1]
        error = site.fail(query)
        check("password authentication failed" in error and site.environment["PGPASSWORD"] not in error, error)
        del site.environment["PGPASSWORD"]
        (folder / ".pgpass").write_text(f"127.0.0.1:*:*:shop:{PASSWORD}\n")
        (folder / ".pgpass").chmod(0o600)
        site.publish(query)
        for bad in (url.replace("shop@", f"shop:{PASSWORD}@"), url + f"?password={PASSWORD}"):
            error = site.publish(query, status=2, database=bad)
            check("PGPASSWORD or ~/.pgpass" in error, error)
        # If a query fails in the middle, the rows before that are not published either.
        site = Site(sheaf, folder / "middle", url, right)
        error = site.fail("SELECT '/' || g AS url, 'Text of ' || (1 / (3000 - g)) AS text FROM generate_series(1, 5000) g")
        check("division by zero" in error and not list((site.folder / "scp").glob("*.scp*")), error)
        check("Connection refused" in Site(sheaf, folder / "down", "postgresql://127.0.0.1:1/x", right).fail(query))
        # Many rows.
        report = Site(sheaf, folder / "many", url, right).publish(
            "SELECT '/p' || g AS url, 'Page ' || g AS title, 'The text of page ' || g AS text FROM generate_series(1, 5000) g")
        check(report["pages"] == 5000, report)
    finally:
        server.stop()
        shutil.rmtree(home, ignore_errors=True)


def literal_for_mariadb(value):
    return "NULL" if value is None else "'" + value.replace("\\", "\\\\").replace("'", "''") + "'"


def check_mariadb_safety(sheaf, folder, server, url, right):
    """No query can change anything: not by functions, by files of the server, or by settings."""
    server.execute("DELIMITER //\nCREATE FUNCTION harm() RETURNS text MODIFIES SQL DATA BEGIN DELETE FROM pages; RETURN '/x'; END //", "shop")
    server.execute("GRANT ALL ON shop.* TO shop@'%'; GRANT FILE ON *.* TO shop@'%'")
    before = server.execute("SELECT count(*) FROM pages", "shop")
    site = Site(sheaf, folder / "safety", url, right)
    for query, message in [
        ("SELECT harm() AS url, 'x' AS html", "READ ONLY"),
        (f"SELECT '/x' AS url, 'a' AS html INTO OUTFILE '{server.home}/stolen'", ""),
        ("COMMIT", "must be a SELECT"),
        ("SET SESSION TRANSACTION READ WRITE", "must be a SELECT"),
        ("DELETE FROM pages RETURNING url, body AS html", "READ ONLY"),
        ("CREATE TABLE more (x int)", ""),
        ("LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE pages (url)", ""),
        ("TRUNCATE pages", ""),
    ]:
        error = site.fail(query)
        check(message in error, query, "->", error)
    check(not (server.home / "stolen").exists(), "the query wrote a file")
    check(server.execute("SELECT count(*) FROM pages", "shop") == before, "a query changed the database")


def check_mariadb_passwords(sheaf, folder, server, url):
    site = Site(sheaf, folder / "password", url, {"PATH": "/usr/bin:/bin", "HOME": str(folder)})
    query = "SELECT '/t' AS url, 'Some text' AS text"
    check("Access denied" in site.fail(query))
    site.environment["MYSQL_PWD"] = "wrong-" + PASSWORD[::-1]
    error = site.fail(query)
    check("Access denied" in error and site.environment["MYSQL_PWD"] not in error, error)
    del site.environment["MYSQL_PWD"]
    (folder / ".my.cnf").write_text(f"[client]\npassword={PASSWORD}\n")
    site.publish(query)
    (folder / ".my.cnf").unlink()
    (folder / "secret").write_text(PASSWORD + "\n")
    site.publish(query, settings='password_file = "../secret"\n')
    error = site.publish(query, status=2, settings='password_file = "../nothing"\n')
    check("nothing" in error, error)
    error = site.publish(query, status=2, database=url.replace("shop@", f"shop:{PASSWORD}@"))
    check("`password_file`, MYSQL_PWD or ~/.my.cnf" in error, error)
    for bad, message in (("mariadb://localhost", "names no database"), ("mariadb://localhost/x?pwd=1", "known are: socket, tls, ca"),
                         ("mariadb://localhost:0/x", "port"), ("mariadb://localhost/x?tls=maybe", "off, required or verified")):
        check(message in site.publish(query, status=2, database=bad), bad)


def check_mariadb_tls(sheaf, folder, server, right):
    """Connections are encrypted and verified with a trusted certificate, and refused with another one."""
    site = Site(sheaf, folder / "tls", "", right)
    query = "SELECT concat('/', if((SELECT variable_value FROM information_schema.session_status WHERE variable_name = 'Ssl_cipher') = '', "\
            "'open', 'encrypted')) AS url, 'Some text' AS text"
    where = f"mariadb://shop@127.0.0.1:{server.port}/shop"
    site.publish(query, database=where)
    check(list(site.pages()) == ["https://shop.example/open"], site.pages())
    site.publish(query, "--allow-shrink", database=where + "?tls=required")
    check(list(site.pages()) == ["https://shop.example/encrypted"], site.pages())
    named = where.replace("127.0.0.1", "localhost")
    check("TLS" in site.publish(query, status="an error", database=where + "?tls=verified"))
    site.publish(query, database=named + f"?tls=verified&ca={server.home}/ca.pem")
    check("TLS" in site.publish(query, status="an error", database=where + f"?tls=verified&ca={server.home}/server.key"))


def test_mariadb(sheaf, folder):
    if not mariadb_server.is_installed():
        print("skipped mariadb: it is not installed")
        return
    server = mariadb_server.MariadbServer()
    try:
        server.execute(f"CREATE DATABASE shop CHARACTER SET utf8mb4; CREATE USER shop@'%' IDENTIFIED BY '{PASSWORD}'; GRANT ALL ON shop.* TO shop@'%'")
        server.execute("CREATE TABLE pages (id int AUTO_INCREMENT PRIMARY KEY, url text, title text, description text, author text, published text, "
                       "modified datetime, language text, body longtext)", "shop")
        rows = ", ".join("(" + ", ".join(map(literal_for_mariadb, row)) + ")" for row in ROWS)
        server.execute(f"INSERT INTO pages ({COLUMNS}, body) VALUES {rows}", "shop")
        url = f"mariadb://shop@localhost/shop?socket={server.socket}"
        right = {"PATH": "/usr/bin:/bin", "MYSQL_PWD": PASSWORD, "TZ": "Asia/Tokyo"}
        execute = lambda statement: server.execute(statement, "shop")
        for name, test in (("shop", lambda site: check_shop(site, execute)), ("bodies", check_bodies), ("mistakes", check_mistakes)):
            test(Site(sheaf, folder / name, url, right))
        check(execute("SELECT count(*) FROM pages") == "5", "a query changed the database")
        check_mariadb_safety(sheaf, folder, server, url, right)
        check_mariadb_passwords(sheaf, folder, server, url)
        check_mariadb_tls(sheaf, folder, server, right)
        execute("; ".join(GHOST + DRUPAL))
        check_ghost(publish_documented(sheaf, folder / "ghost", "posts_authors", url, right))
        check_drupal(publish_documented(sheaf, folder / "drupal", "node_field_data", url, right))
        site = Site(sheaf, folder / "middle", url, right)
        error = site.fail("SELECT concat('/', seq) AS url, if(seq < 3000, 'Text', (SELECT table_name FROM information_schema.tables LIMIT 1, 2)) "
                          "AS text FROM seq_1_to_5000 WHERE seq < 3000 OR (SELECT 1 UNION SELECT 2)")
        check("more than 1 row" in error and not list((site.folder / "scp").glob("*.scp*")), error)
        check("cannot connect to MariaDB" in Site(sheaf, folder / "down", "mariadb://127.0.0.1:1/x?tls=off", right).fail("SELECT 1"))
        report = Site(sheaf, folder / "many", url, right).publish(
            "SELECT concat('/p', seq) AS url, concat('Page ', seq) AS title, concat('The text of page ', seq, ' \u00e4\U0001f600') AS text FROM seq_1_to_5000")
        check(report["pages"] == 5000, report)
    finally:
        server.stop()


def documented_source(mark):
    """Returns the [[section.source]] in docs/publish-cms.md whose query contains this text."""
    text = (pathlib.Path(__file__).resolve().parents[2] / "docs/publish-cms.md").read_text()
    blocks = [block for block in re.findall(r"```toml\n(.*?)```", text, re.S) if mark in block and "[[section.source]]" in block]
    check(len(blocks) == 1, mark, len(blocks))
    return blocks[0]


def publish_documented(sheaf, folder, mark, database, environment):
    """Publishes with the documented query on another database; returns the pages."""
    source = re.sub(r'database = "[^"]*"', f'database = "{database}"', documented_source(mark))
    source = re.sub(r'password_file = .*\n', "", source)
    if database.startswith("sqlite"):
        source = source.replace("CONCAT('/', p.slug, '/')", "'/' || p.slug || '/'")
    site = Site(sheaf, folder, database, environment)
    (folder / "sheaf.toml").write_text(f'base = "https://shop.example"\nout = "scp"\n[[section]]\nname = "shop"\n{source}')
    done = subprocess.run([sheaf, "publish"], cwd=folder, capture_output=True, text=True, env=environment)
    check(done.returncode == 0, mark, done.stdout, done.stderr)
    return site.pages()


# The columns of Ghost 5 that the query uses, named as in Ghost's migrations. ghost.py tests the real Ghost.
GHOST = [
    "CREATE TABLE posts (id varchar(24) PRIMARY KEY, title varchar(2000), slug varchar(191), html longtext, custom_excerpt varchar(2000), "
    "status varchar(50), visibility varchar(50), type varchar(50), published_at datetime, updated_at datetime, canonical_url text)",
    "CREATE TABLE settings (id varchar(24) PRIMARY KEY, `key` varchar(50), value text)",
    "INSERT INTO settings VALUES ('s1', 'is_private', 'false'), ('s2', 'locale', 'en')",
    "CREATE TABLE users (id varchar(24) PRIMARY KEY, name varchar(191))",
    "CREATE TABLE posts_authors (id varchar(24) PRIMARY KEY, post_id varchar(24), author_id varchar(24), sort_order int)",
    "INSERT INTO users VALUES ('u1', 'Anna'), ('u2', 'Ben')",
    "INSERT INTO posts VALUES ('p1', 'First', 'first', '<p>The text of the <a href=__GHOST_URL__/about/>first</a> post.</p>', 'Short', 'published', 'public', 'post', '2024-01-02 03:04:05', '2024-02-02 03:04:05', NULL), "
    "('p2', 'Members', 'members', '<p>HIDDEN</p>', NULL, 'published', 'members', 'post', '2024-01-02 03:04:05', '2024-02-02 03:04:05', NULL), "
    "('p3', 'Draft', 'draft', '<p>HIDDEN</p>', NULL, 'draft', 'public', 'post', NULL, '2024-02-02 03:04:05', NULL), "
    "('p4', 'Soon', 'soon', '<p>HIDDEN</p>', NULL, 'scheduled', 'public', 'post', '2099-01-01 00:00:00', '2024-02-02 03:04:05', NULL), "
    "('p5', 'About', 'about', '<p>The text about us.</p>', NULL, 'published', 'public', 'page', '2024-01-02 03:04:05', '2024-02-02 03:04:05', NULL), "
    "('p6', 'Copy', 'copy', '<p>HIDDEN</p>', NULL, 'published', 'public', 'post', '2024-01-02 03:04:05', '2024-02-02 03:04:05', 'https://other.example/')",
    "INSERT INTO posts_authors VALUES ('a1', 'p1', 'u2', 1), ('a2', 'p1', 'u1', 0), ('a3', 'p5', 'u2', 0)",
]


def check_ghost(pages):
    check(sorted(pages) == ["https://shop.example/about/", "https://shop.example/first/"], pages)
    first = pages["https://shop.example/first/"]
    check((first["title"], first["description"], first["author"], first["published"], first["modified"]) ==
          ("First", "Short", "Anna", "2024-01-02T03:04:05Z", "2024-02-02T03:04:05Z"), first)
    check(first["language"] == "en" and "GHOST_URL" not in json.dumps(pages), first)


# The tables of Drupal 10.
DRUPAL = [
    "CREATE TABLE node_field_data (nid int, langcode varchar(12), status tinyint, uid int, title varchar(255), created int, changed int, PRIMARY KEY (nid, langcode))",
    "CREATE TABLE node__body (entity_id int, langcode varchar(32), deleted tinyint, delta int, body_value longtext, body_summary longtext)",
    "CREATE TABLE path_alias (id int PRIMARY KEY, path varchar(255), alias varchar(255), langcode varchar(12), status tinyint)",
    "CREATE TABLE users_field_data (uid int, langcode varchar(12), name varchar(60), default_langcode tinyint)",
    "INSERT INTO users_field_data VALUES (1, 'en', 'Anna', 1)",
    "INSERT INTO node_field_data VALUES (1, 'en', 1, 1, 'One', 1700000000, 1700000100), (1, 'de', 1, 1, 'Eins', 1700000000, 1700000100), "
    "(2, 'en', 0, 1, 'HIDDEN', 1700000000, 1700000100), (3, 'en', 1, 1, 'Three', 1700000000, 1700000100)",
    "INSERT INTO node__body VALUES (1, 'en', 0, 0, '<p>The text of one.</p>', 'Short'), (1, 'de', 0, 0, '<p>Der Text von eins.</p>', ''), "
    "(2, 'en', 0, 0, '<p>HIDDEN</p>', ''), (3, 'en', 0, 0, '<p>The text of three.</p>', '')",
    "INSERT INTO path_alias VALUES (1, '/node/1', '/old', 'en', 1), (2, '/node/1', '/one', 'en', 1), (3, '/node/1', '/eins', 'de', 1), (4, '/node/3', '/off', 'en', 0)",
]


def check_drupal(pages):
    check(sorted(pages) == [f"https://shop.example/{name}" for name in ("eins", "node/3", "one")], pages)
    one = pages["https://shop.example/one"]
    check((one["title"], one["description"], one["author"], one["language"], one["published"]) == ("One", "Short", "Anna", "en", "2023-11-14T22:13:20Z"), one)


def test_ghost(sheaf, folder):
    connection = sqlite3.connect(folder / "ghost.db", isolation_level=None)
    for statement in GHOST:
        connection.execute(statement)
    check_ghost(publish_documented(sheaf, folder / "ghost", "posts_authors", "sqlite:../ghost.db", {"PATH": "/usr/bin:/bin"}))


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--sheaf", required=True, type=lambda name: str(pathlib.Path(name).resolve()))
    arguments.add_argument("names", nargs="*")
    options = arguments.parse_args()
    tests = {"sqlite": test_sqlite, "ghost": test_ghost, "postgres": test_postgres, "mariadb": test_mariadb}
    return run_cases({name: functools.partial(test, options.sheaf) for name, test in tests.items()}, options.names)


if __name__ == "__main__":
    sys.exit(main())
