"""The command ``ibforensic completion``."""

from __future__ import annotations

import click

_SHELLS = ("bash", "zsh", "fish")


@click.command(name="completion")
@click.argument("shell", type=click.Choice(_SHELLS))
@click.pass_context
def COMMAND(context: click.Context, shell: str) -> int:  # noqa: N802
    """Print a script that lets a shell complete commands, options and names.

    In the present shell alone, and for good (bash 4.4 or later; zsh with compinit; fish):

    \b
      eval "$(ibforensic completion bash)"
      echo 'eval "$(ibforensic completion bash)"' >> ~/.bashrc
      echo 'eval "$(ibforensic completion zsh)"' >> ~/.zshrc
      ibforensic completion fish > ~/.config/fish/completions/ibforensic.fish
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(context.find_root().command, {}, "ibforensic", "_IBFORENSIC_COMPLETE")
    # source() would look for a bash here as well, which may not be the shell that reads this.
    click.echo(script.source_template % script.source_vars(), nl=False)
    return 0
