"""A file system that keeps no more than it has promised, for power_loss.py.

The model reads what record_shim.cpp recorded, and builds the folder that a power loss at any moment may leave. It promises this
much: what was written to a file before fsync() or fdatasync() of it returned is there, and entries that were created, renamed or
removed before fsync() of their folder returned are so. A rename is one change, whatever else is lost. Nothing else is promised: any
of the other changes to names may be missing, in any order; and each block of a file may be as it was at any moment since the last
sync (zeros, if it was not there then), while the size of the file may be the old or the new one.
"""
import dataclasses, pathlib, urllib.parse

ROOT = 0  # the number of the folder itself
BLOCKS = (512, 4096)  # bytes that a disk or a file system writes in one step

# What a power loss leaves of that which was not synced. The first five are the extremes.
NOTHING, EVERYTHING, NAMES_ONLY, DATA_ONLY, ZEROS, ANYTHING = 'nothing', 'everything', 'names only', 'data only', 'zeros', 'anything'
KINDS = (NOTHING, EVERYTHING, NAMES_ONLY, DATA_ONLY, ZEROS, ANYTHING)


@dataclasses.dataclass
class NameChange:
    """An entry of a folder was set (`node`), removed (`old`), or moved (both)."""
    at: int
    old: tuple = None  # (number of the folder, name)
    new: tuple = None
    node: int = None

    def folders(self):
        return {place[0] for place in (self.old, self.new) if place}


@dataclasses.dataclass
class File:
    changes: list = dataclasses.field(default_factory=list)  # (at, offset, bytes), or (at, size, None)
    syncs: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Folder:
    syncs: list = dataclasses.field(default_factory=list)


def read_records(log):
    """Yields the records: lists of words, with the bytes as last item. An unfinished record at the end is left out."""
    data, at = pathlib.Path(log).read_bytes(), 0
    while (end := data.find(b'\n', at)) >= 0:
        *words, size = data[at:end].decode().split(' ')
        at = end + 1 + int(size)
        if at > len(data):
            return
        yield [*words, data[end + 1:at]]


def settled(changes, block=0, limit_of=None):
    """Returns the bytes after these changes of a file. `limit_of`: gives for a block the moment from which on no change of it
    reached the disk."""
    data = bytearray()
    for at, offset, new in changes:
        if new is None:
            data[offset:] = bytes(max(0, offset - len(data)))
            continue
        if len(data) < offset + len(new):
            data.extend(bytes(offset + len(new) - len(data)))
        if limit_of is None:
            data[offset:offset + len(new)] = new
            continue
        begin = offset
        while begin < offset + len(new):
            end = min(begin // block * block + block, offset + len(new))
            if at < limit_of(begin // block):
                data[begin:end] = new[begin - offset:end - offset]
            begin = end
    return bytes(data)


class Recording:
    """All that happened below a folder. `given`: {path: inode} of the folders that were there before, and are on the disk; files
    that were there are the caller's. `ignored`: 'files' or 'folders', whose syncs are left out, to prove that the test finds what
    that breaks."""

    def __init__(self, logs, given, ignored=None):
        self.nodes, self.names, self.length, self.steps = {ROOT: Folder()}, [], 0, []
        self.tree, numbers, inodes = {ROOT: {}}, 0, {}
        for path, inode in sorted(given.items()):
            numbers += 1
            inodes[str(inode)] = numbers
            self.nodes[numbers], self.tree[numbers] = Folder(), {}
            self.change(NameChange(-1, new=self.place(path), node=numbers))
        for at, (what, *words, data) in enumerate(record for log in logs for record in read_records(log)):
            self.length = at + 1
            if what in ('open', 'mkdir', 'link'):
                place = self.place(words[-1])
                if what == 'open' and words[1] == '0':
                    self.nodes[self.tree[place[0]][place[1]]].changes.append((at, 0, None))
                    continue
                if what != 'link':
                    numbers += 1
                    inodes[words[0]] = numbers
                    self.nodes[numbers] = File() if what == 'open' else Folder()
                    self.tree[numbers] = {}
                self.change(NameChange(at, new=place, node=inodes[words[0]]))
            elif what == 'remove':
                self.change(NameChange(at, old=self.place(words[0])))
            elif what == 'rename':
                old, new = map(self.place, words)
                self.change(NameChange(at, old, new, self.tree[old[0]][old[1]]))
            elif what == 'write':
                self.nodes[inodes[words[0]]].changes.append((at, int(words[1]), data))
            elif what == 'size':
                self.nodes[inodes[words[0]]].changes.append((at, int(words[1]), None))
            elif what == 'sync':
                node = self.nodes[inodes.get(words[0], ROOT)]  # the folder itself was never created
                if ignored != ('files' if isinstance(node, File) else 'folders'):
                    node.syncs.append(at)
            # Little happens at most moments. What is wrong shows next to these.
            if what in ('sync', 'rename', 'remove', 'link'):
                self.steps.append(at)

    def place(self, path):
        *folders, name = urllib.parse.unquote(path, errors='surrogateescape').split('/')
        number = ROOT
        for folder in folders:
            number = self.tree[number][folder]
        return number, name

    def change(self, change):
        self.names.append(change)
        self.apply(self.tree, change)

    @staticmethod
    def apply(tree, change):
        """Applies a change of names, whatever happened to those before it."""
        if change.old and change.node in (None, tree.get(change.old[0], {}).get(change.old[1])):
            tree.get(change.old[0], {}).pop(change.old[1], None)
        if change.new:
            tree.setdefault(change.new[0], {})[change.new[1]] = change.node

    def tree_after_loss(self, moment, kind, chance):
        share = chance.choice((0.1, 0.5, 0.9))
        keeps = {NOTHING: lambda: False, DATA_ONLY: lambda: False, ANYTHING: lambda: chance.random() < share}.get(kind, lambda: True)
        tree = {}
        for change in self.names:
            if change.at >= moment:
                break
            synced = change.at < 0 or any(change.at < at < moment for folder in change.folders() for at in self.nodes[folder].syncs)
            if synced or keeps():
                self.apply(tree, change)
        return tree

    def bytes_after_loss(self, file, moment, kind, chance):
        synced = max((at for at in file.syncs if at < moment), default=-1)
        safe = [change for change in file.changes if change[0] < synced]
        unsafe = [change for change in file.changes if synced < change[0] < moment]
        if kind == ANYTHING:
            kind = chance.choice((NOTHING, EVERYTHING, ZEROS, 'some blocks', 'cut off'))
        if kind in (NOTHING, NAMES_ONLY) or not unsafe:
            return settled(safe)
        if kind in (EVERYTHING, DATA_ONLY):
            return settled(safe + unsafe)
        if kind == 'cut off':
            whole = settled(safe + unsafe)
            return whole[:chance.randint(min(len(settled(safe)), len(whole)), len(whole))]
        limits, share = {}, 0 if kind == ZEROS else chance.random()

        def limit_of(block):
            if block not in limits:
                limits[block] = chance.choice(unsafe)[0] if kind != ZEROS and chance.random() > share else synced if kind == ZEROS else moment
            return limits[block]

        return settled(safe + unsafe, chance.choice(BLOCKS), limit_of)

    def after_loss(self, moment, kind, chance):
        """Returns {path: bytes, or None for a folder} after a loss of power before the record `moment`."""
        tree = self.tree_after_loss(moment, kind, chance)
        contents = {}  # by node: a file may have several names

        def walk(number, path):
            for name, node in sorted(tree.get(number, {}).items()):
                if isinstance(self.nodes[node], Folder):
                    yield path + name, None
                    yield from walk(node, path + name + '/')
                else:
                    if node not in contents:
                        contents[node] = self.bytes_after_loss(self.nodes[node], moment, kind, chance)
                    yield path + name, contents[node]

        return dict(walk(ROOT, ''))

    def missed(self, folder, chance, is_ours=lambda path: True):
        """Returns the paths whose content is not what was recorded: the recording has missed something."""
        recorded = {path: data for path, data in self.after_loss(self.length, EVERYTHING, chance).items() if is_ours(path)}
        there = {str(path.relative_to(folder)): None if path.is_dir() else path.read_bytes() for path in pathlib.Path(folder).rglob('*')}
        there = {path: data for path, data in there.items() if is_ours(path)}
        return sorted(path for path in {*recorded, *there} if recorded.get(path, 0) != there.get(path, 0))


def write_folder(folder, content):
    for path, data in content.items():
        if data is None:
            (folder / path).mkdir(parents=True, exist_ok=True)
        else:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
