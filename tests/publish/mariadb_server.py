"""A MariaDB server for a test, in a temporary folder, on a socket and on a free port with TLS."""
import os
import pathlib
import pwd
import shutil
import socket
import subprocess
import tempfile
import time


def is_installed():
    return shutil.which("mariadbd", path="/usr/sbin:/usr/bin") is not None and shutil.which("mariadb-install-db") is not None


class MariadbServer:
    """Does not run as root. The root account of the database belongs to the user who runs it and needs no password on the socket."""

    def __init__(self):
        # The path is short, because a socket's path has at most 107 bytes. It is in memory if possible: the installation and DDL sync often.
        parent = "/dev/shm" if os.access("/dev/shm", os.W_OK) and shutil.disk_usage("/dev/shm").free > 1 << 30 else "/tmp"
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="mariadb-", dir=parent))
        self.how = {}
        if os.getuid() == 0:
            user = pwd.getpwnam("mysql" if any(entry.pw_name == "mysql" for entry in pwd.getpwall()) else "nobody")
            self.how = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
            os.chown(self.home, user.pw_uid, user.pw_gid)
        os.chmod(self.home, 0o755)
        self.socket = self.home / "socket"
        self.process = None
        try:
            self._start()
        except BaseException:
            self.stop()
            raise

    def _start(self):
        self._certificates()
        temporary = self.home / "tmp"
        temporary.mkdir()
        if self.how:
            os.chown(temporary, self.how["user"], self.how["group"])
        done = subprocess.run(["mariadb-install-db", "--no-defaults", f"--datadir={self.home}/data", "--auth-root-authentication-method=normal",
                               "--skip-test-db", f"--tmpdir={temporary}"], cwd=self.home, capture_output=True, text=True, **self.how)
        assert done.returncode == 0, done.stdout + done.stderr
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        with open(self.home / "log", "wb") as log:
            self.process = subprocess.Popen(
                ["/usr/sbin/mariadbd", "--no-defaults", f"--datadir={self.home}/data", f"--socket={self.socket}", f"--port={self.port}",
                 "--bind-address=127.0.0.1", f"--pid-file={self.home}/pid", f"--tmpdir={temporary}", "--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=16M",
                 f"--ssl-cert={self.home}/server.pem", f"--ssl-key={self.home}/server.key", f"--secure-file-priv={self.home}"],
                cwd=self.home, stdout=log, stderr=log, **self.how)
        for _ in range(600):
            if self.process.poll() is not None:
                break
            with socket.socket(socket.AF_UNIX) as probe:
                if probe.connect_ex(str(self.socket)) == 0:
                    return
            time.sleep(0.05)
        raise AssertionError("MariaDB did not start: " + (self.home / "log").read_text(errors="replace")[-2000:])

    def _certificates(self):
        """An authority, and the server's certificate for localhost."""
        for arguments in (
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=Test authority", "-keyout", "ca.key", "-out", "ca.pem"],
            ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=localhost", "-keyout", "server.key", "-out", "server.csr"],
            ["x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-out", "server.pem"],
        ):
            done = subprocess.run(["openssl", *arguments], cwd=self.home, capture_output=True, text=True, **self.how)
            assert done.returncode == 0, done.stderr

    def execute(self, statement, database="mysql"):
        # Newer clients also verify the server's certificate on a socket.
        done = subprocess.run(["mariadb", "--no-defaults", f"--socket={self.socket}", "--skip-ssl-verify-server-cert", "-uroot", "-N", "-B", "--default-character-set=utf8mb4", database],
                              input=statement, capture_output=True, text=True)
        assert done.returncode == 0, statement[:300] + "\n" + done.stderr
        return done.stdout.strip()

    def stop(self):
        if self.process is not None:
            self.process.terminate()
            self.process.wait()
        shutil.rmtree(self.home, ignore_errors=True)
