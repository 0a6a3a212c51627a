"""Helpers for tests of the shared store: a PostgreSQL server, pgbouncer in front of it, and a proxy that cuts connections."""
import glob, os, pathlib, pwd, random, shutil, signal, socket, subprocess, threading, time


def programs():
    """Returns the folder of PostgreSQL's programs, or None."""
    folders = sorted(glob.glob('/usr/lib/postgresql/*/bin'))
    return pathlib.Path(folders[-1]) if folders else None


def unprivileged(folder):
    """Returns how to start a program that refuses to run as root. Changes the owner of the folder."""
    if os.getuid() != 0:
        return {}
    names = {entry.pw_name for entry in pwd.getpwall()}
    user = pwd.getpwnam('postgres' if 'postgres' in names else 'nobody')
    os.chown(folder, user.pw_uid, user.pw_gid)
    return {'user': user.pw_uid, 'group': user.pw_gid, 'extra_groups': []}


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


class Postgres:
    def __init__(self, folder, *settings):
        self.programs, self.folder, self.settings = programs(), pathlib.Path(folder), settings
        self.folder.mkdir(parents=True)
        self.folder.chmod(0o755)
        self.how = unprivileged(self.folder)
        self.port = free_port()
        self.run('initdb', '-D', self.folder / 'data', '-U', 'owner', '--auth=trust', '-N', '-E', 'UTF8', '--locale=C')
        self.start()
        self.execute('CREATE ROLE sheaf LOGIN')
        self.databases = 0

    def run(self, program, *arguments):
        done = subprocess.run([self.programs / program, *arguments], cwd=self.folder, capture_output=True, text=True, **self.how)
        if done.returncode != 0:
            raise AssertionError(f'{program}: {done.stderr}')
        return done.stdout

    def start(self):
        with open(self.folder / 'log', 'ab') as log:
            self.process = subprocess.Popen([self.programs / 'postgres', '-D', self.folder / 'data', '-p', str(self.port), '-k', self.folder,
                                             '-h', '127.0.0.1', '-c', 'max_connections=100', '-c', 'shared_buffers=32MB',
                                             *(word for setting in self.settings for word in ('-c', setting))],
                                            cwd=self.folder, stdout=log, stderr=log, **self.how)
        for _ in range(1200):
            if subprocess.run([self.programs / 'pg_isready', '-h', '127.0.0.1', '-p', str(self.port)], capture_output=True).returncode == 0:
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise AssertionError('PostgreSQL does not start: ' + (self.folder / 'log').read_text()[-2000:])

    def crash(self):
        """Stops the server like pg_ctl stop -m immediate."""
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait()

    def execute(self, statement, database='postgres', user='owner'):
        return self.run('psql', '-v', 'ON_ERROR_STOP=1', '-qAt', '-h', '127.0.0.1', '-p', str(self.port), '-U', user, '-d', database, '-c',
                        statement).strip()

    def new_database(self):
        """Creates a database in which the role sheaf may create a schema, and nothing else. Returns its name."""
        self.databases += 1
        name = f'copy{self.databases}'
        self.execute(f'CREATE DATABASE {name}')
        self.execute(f'GRANT CREATE ON DATABASE {name} TO sheaf')
        return name

    def url(self, database, port=None):
        return f'postgresql://sheaf@127.0.0.1:{port or self.port}/{database}'

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Standby(Postgres):
    """A synchronous standby of another server: a commit is reported only when it is also on the standby."""

    def __init__(self, primary, folder):
        self.programs, self.folder, self.settings, self.databases = primary.programs, pathlib.Path(folder), primary.settings, primary.databases
        self.folder.mkdir(parents=True)
        self.folder.chmod(0o755)
        self.how = unprivileged(self.folder)
        self.port = free_port()
        self.run('pg_basebackup', '-D', self.folder / 'data', '-h', '127.0.0.1', '-p', str(primary.port), '-U', 'owner', '-R', '-X', 'stream',
                 '-c', 'fast')
        self.start()
        primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
        primary.execute('SELECT pg_reload_conf()')
        for _ in range(600):
            if primary.execute("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") == '1':
                return
            time.sleep(0.05)
        raise AssertionError('the standby does not follow')

    def promote(self):
        """Promotes the standby. Its commits wait for no standby until a new one is set up."""
        self.execute('SELECT pg_promote()')
        self.execute("ALTER SYSTEM SET synchronous_standby_names = ''")
        self.execute('SELECT pg_reload_conf()')


class Pgbouncer:
    """pgbouncer in transaction mode, with few server connections."""

    def __init__(self, postgres, folder):
        self.folder, self.port = pathlib.Path(folder), free_port()
        self.folder.mkdir()
        self.folder.chmod(0o755)
        how = unprivileged(self.folder)
        users = self.folder / 'users.txt'
        users.write_text('"sheaf" ""\n')
        config = self.folder / 'pgbouncer.ini'
        config.write_text(f'[databases]\n* = host=127.0.0.1 port={postgres.port}\n[pgbouncer]\nlisten_addr=127.0.0.1\nlisten_port={self.port}\n'
                          f'auth_type=trust\nauth_file={users}\npool_mode=transaction\ndefault_pool_size=5\nmax_client_conn=200\n'
                          f'unix_socket_dir=\nlogfile={self.folder}/log\n')
        self.process = subprocess.Popen([self.program(), config], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **how)
        for _ in range(400):
            with socket.socket() as probe:
                if probe.connect_ex(('127.0.0.1', self.port)) == 0:
                    return
            time.sleep(0.05)
        raise AssertionError('pgbouncer does not start')

    @staticmethod
    def program():
        found = shutil.which('pgbouncer', path=os.environ.get('PATH', '') + ':/usr/sbin')
        return found

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


class CuttingProxy:
    """Forwards connections to PostgreSQL. While `cuts` is not 0, a COMMIT ends the connection: before it is passed on, after it was passed on
    and before the answer, or in the middle of the answer. Nobody can know which."""

    def __init__(self, port, seed):
        self.target, self.random, self.cuts, self.done, self.lock = port, random.Random(seed), 0, 0, threading.Lock()
        self.listener = socket.create_server(('127.0.0.1', 0), backlog=128)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.forward, args=(client,), daemon=True).start()

    def choose(self):
        with self.lock:
            if self.cuts == 0:
                return None
            self.cuts -= 1
            self.done += 1
            return self.random.choice(('before', 'after', 'answer'))

    def forward(self, client):
        try:
            server = socket.create_connection(('127.0.0.1', self.target))
        except OSError:
            client.close()
            return
        state = {'cut': None}

        def answers():
            try:
                while data := server.recv(65536):
                    if state['cut'] == 'after':
                        break
                    if state['cut'] == 'answer':
                        client.sendall(data[:3])
                        break
                    client.sendall(data)
            except OSError:
                pass
            self.close(client, server)

        threading.Thread(target=answers, daemon=True).start()
        try:
            while data := client.recv(65536):
                if b'COMMIT\0' in data and state['cut'] is None:
                    state['cut'] = self.choose()
                    if state['cut'] == 'before':
                        break
                server.sendall(data)
        except OSError:
            pass
        if state['cut'] in (None, 'before'):
            self.close(client, server)

    @staticmethod
    def close(*sockets):
        for each in sockets:
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            each.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()
