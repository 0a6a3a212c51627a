"""The pages that sites.py builds with every generator: one text in the dialects of Markdown they read, and one in
reStructuredText. They have what documentation has: headings, code in several languages and without one, tables, lists
in lists, boxes, tabs, formulas, footnotes, images, long lists and very short pages."""

PYTHON = '''def parse(line: str, *, strict: bool = False) -> Record:
    """Reads one record."""
    fields = line.split("\\\\t")
    if strict and len(fields) != 3:
        raise ValueError(f"{len(fields)} fields")
    return Record(*fields)'''
SHELL = "pip install recorder\nrecorder --check \"$HOME/data\" | sort -n"
JSON = '{\n  "name": "recorder",\n  "paths": ["C:\\\\data", "/srv/data"]\n}'
LONG_ITEMS = [f"Option `--level-{n}` sets the level to {n} for the records that follow" for n in range(1, 41)]

INTRO = f"""The recorder reads lines of **tab-separated** fields and writes them to a table. It is *small* on purpose: the
`parse` function is all that most programs need, and the [reference](reference.md) names the rest.

![The window of the recorder](window.png)

## Install

Install it with your package manager, then check that it runs:

```bash
{SHELL}
```

### Requirements

| System | Version | Notes |
| --- | --- | --- |
| Linux | 5.10 | Any distribution |
| macOS | 12 | Intel and `arm64` |
| Windows | 10 | Only from [the shop](https://shop.example/recorder) |

## First steps

1. Make a folder for the data.
2. Write a file with the settings:
   - `name` is shown in the title.
   - `paths` may have several entries.
3. Start the recorder.

```json
{JSON}
```

> A record is only as good as its clock.

Lines that cannot be parsed are left out, and the log says why[^log].

[^log]: The log is a text file beside the table.
"""

REFERENCE = f"""Every function of the module, in the order in which programs call them.

## parse

```python
{PYTHON}
```

| Parameter | Type | Meaning |
| --- | --- | --- |
| `line` | str | One line without its end |
| `strict` | bool | Whether a wrong number of fields is an error |

```
2024-05-01 12:00:01  17.5  ok
2024-05-01 12:00:02  17.6  ok
```

## Options

{chr(10).join("- " + item for item in LONG_ITEMS)}

## Time

Times are seconds since the epoch, with fractions of 2^-20^ at most. See `time.gmtime()` and the
[standard](https://standard.example/time#leap) for leap seconds.
"""

SHORT = """Support ends one year after the next release.

Write to the list before you file a bug.
"""

TINY = """See [the reference](reference.md).

```bash
recorder --version
```
"""

RST = {
    "index": f"""Recorder
========

The recorder reads lines of **tab-separated** fields and writes them to a table. It is *small* on purpose: the
:func:`parse` function is all that most programs need.

.. image:: window.png
   :alt: The window of the recorder

.. toctree::
   :maxdepth: 1

   guide
   reference
   short
""",
    "guide": f"""Guide
=====

Install
-------

Install it with your package manager, then check that it runs:

.. code-block:: bash

{chr(10).join("   " + line for line in SHELL.split(chr(10)))}

.. note::
   The first start takes a minute, because the tables are built.

.. warning:: Never run two recorders on one folder.

Requirements
~~~~~~~~~~~~

.. list-table:: Systems
   :header-rows: 1

   * - System
     - Version
   * - Linux
     - 5.10
   * - Windows
     - 10

First steps
-----------

1. Make a folder for the data.
2. Write a file with the settings:

   - ``name`` is shown in the title.
   - ``paths`` may have several entries.
3. Start the recorder.

.. code-block:: json
   :linenos:

{chr(10).join("   " + line for line in JSON.split(chr(10)))}

.. figure:: window.png
   :alt: The window

   The window after the first start.

The energy is :math:`E = mc^2`, and in a line of its own

.. math:: \\int_0^1 x^2 \\, dx = \\frac13

Lines that cannot be parsed are left out [#log]_.

Term
   What a word means in this guide.
Record
   One line of a table.

.. [#log] The log says why.
""",
    "reference": f"""Reference
=========

.. py:function:: parse(line, strict=False)

   Reads one record.

   :param line: one line without its end
   :param strict: whether a wrong number of fields is an error
   :returns: the record
   :raises ValueError: if *strict* and there are not three fields

   .. code-block:: python

{chr(10).join(("      " + line).rstrip() for line in PYTHON.split(chr(10)))}

.. py:class:: Record(time, value, state)

   One line of a table.

   .. py:attribute:: state

      What the sensor said of itself.

   .. versionadded:: 1.2

Options
-------

{chr(10).join("- " + item.replace("`", "``") for item in LONG_ITEMS)}

.. seealso:: `The standard <https://standard.example/time#leap>`_
""",
    "short": """Support
=======

Support ends one year after the next release.

Write to the list before you file a bug.
""",
}

# The syntax of a dialect for a box, a set of tabs, a formula and a term with its definition.
DIALECTS = {
    "mkdocs": """
!!! note
    The first start takes a minute, because the tables are built.

!!! warning "One folder, one recorder"
    Never run two recorders on one folder.

=== "Debian"

    ``` bash
    apt-get install recorder
    ```

=== "Fedora"

    ``` bash
    dnf install recorder
    ```

Term
:   What a word means in this guide.

The energy is $E = mc^2$, and in a line of its own

$$
\\int_0^1 x^2 dx = \\frac{1}{3}
$$
""",
    "docusaurus": """
:::note

The first start takes a minute, because the tables are built.

:::

:::warning[One folder, one recorder]

Never run two recorders on one folder.

:::

<Tabs>
<TabItem value="deb" label="Debian">

```bash title="install.sh"
apt-get install recorder
```

</TabItem>
<TabItem value="rpm" label="Fedora">

```bash showLineNumbers
dnf install recorder
recorder --check
```

</TabItem>
</Tabs>

<details>
<summary>What is a record?</summary>

One line of a table.

</details>
""",
    "vitepress": """
::: info
The first start takes a minute, because the tables are built.
:::

::: warning One folder, one recorder
Never run two recorders on one folder.
:::

::: code-group

```bash [Debian]
apt-get install recorder
```

```bash:line-numbers [Fedora]
dnf install recorder
recorder --check
```

:::
""",
    "starlight": """
:::note
The first start takes a minute, because the tables are built.
:::

:::caution[One folder, one recorder]
Never run two recorders on one folder.
:::

<Tabs>
<TabItem label="Debian">

```bash
apt-get install recorder
```

</TabItem>
<TabItem label="Fedora">

```bash title="install.sh"
dnf install recorder
```

</TabItem>
</Tabs>
""",
    "nextra": """
<Callout>
The first start takes a minute, because the tables are built.
</Callout>

<Callout type="warning">
Never run two recorders on one folder.
</Callout>

<Tabs items={['Debian', 'Fedora']}>
<Tabs.Tab>

```bash
apt-get install recorder
```

</Tabs.Tab>
<Tabs.Tab>

```bash filename="install.sh" showLineNumbers
dnf install recorder
recorder --check
```

</Tabs.Tab>
</Tabs>
""",
    "plain": "",
}


def markdown_pages(dialect):
    """Yields name, title and text of each page."""
    return [("guide", "Guide", INTRO + DIALECTS[dialect]), ("reference", "Reference", REFERENCE.replace("2^-20^", "a millionth")),
            ("short", "Support", SHORT), ("tiny", "Version", TINY)]
