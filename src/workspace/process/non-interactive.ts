/**
 * Variables that make programs ask nobody and page nothing: what would ask fails at once, and says what to do instead.
 *
 * Left alone on purpose: `CI` (it changes what is built and tested), `TERM`, and `GIT_SSH_COMMAND` (it would replace the
 * user's own `core.sshCommand`; without a terminal ssh cannot ask anyway).
 */
const NO_EDITOR =
  'belay_no_editor() { echo "There is no editor here. Give the text as an option or a file (git: -m, -F, --no-edit), or set GIT_EDITOR=true for this command to keep the proposed text." >&2; return 1; }; belay_no_editor';

export const NON_INTERACTIVE: { readonly [name: string]: string } = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  GH_PAGER: 'cat',
  AWS_PAGER: '',
  EDITOR: NO_EDITOR,
  VISUAL: NO_EDITOR,
  GIT_EDITOR: NO_EDITOR,
  GIT_SEQUENCE_EDITOR: NO_EDITOR,
  GIT_TERMINAL_PROMPT: '0',
  GIT_MERGE_AUTOEDIT: 'no',
  GH_PROMPT_DISABLED: '1',
  DEBIAN_FRONTEND: 'noninteractive',
  PIP_NO_INPUT: '1',
};
