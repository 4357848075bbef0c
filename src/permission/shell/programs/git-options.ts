/** The options of git's subcommands whose operands count, or which an option makes harmless. */
import { grammar } from './read-options.ts';

export const gitOptions = {
  add: grammar(
    'n/dry-run v/verbose f/force u/update A/all /ignore-removal N/intent-to-add /refresh /ignore-errors /ignore-missing /sparse /chmod= /renormalize',
  ),
  commit: grammar(
    'a/all m/message= F/file= C/reuse-message= c/reedit-message= /fixup= /squash= /author= /date= t/template= s/signoff n/no-verify /verify /amend /allow-empty /allow-empty-message /cleanup= e/edit q/quiet v/verbose i/include o/only /dry-run /short /status u/untracked-files? S/gpg-sign? /reset-author /no-post-rewrite /trailer= /porcelain /long z/null /branch',
  ),
  reset: grammar('q/quiet /mixed /soft /hard /merge /keep N/intent-to-add /refresh /recurse-submodules?'),
  clean: grammar('n/dry-run q/quiet f/force i/interactive d x X e/exclude='),
  restore: grammar('S/staged W/worktree s/source= q/quiet /progress 2/ours 3/theirs m/merge /ignore-unmerged'),
  rm: grammar('/cached n/dry-run q/quiet r f/force /ignore-unmatch /sparse'),
  checkout: grammar('b= /orphan= q/quiet /progress t/track? /guess l'),
  fetch: grammar(
    'f/force t/tags p/prune P/prune-tags a/append /all m/multiple /atomic k/keep q/quiet v/verbose n /dry-run u/update-head-ok 4/ipv4 6/ipv6 /progress /unshallow /update-shallow /porcelain /set-upstream /auto-gc /auto-maintenance /write-fetch-head /write-commit-graph /show-forced-updates /depth= /deepen= /shallow-since= /shallow-exclude= /filter= j/jobs= /negotiation-tip= /recurse-submodules? /refmap= o/server-option= /upload-pack= /stdin r/rebase? /ff /ff-only /commit /edit? s/strategy= X/strategy-option= S/gpg-sign? /stat /squash /signoff /log? /autostash /allow-unrelated-histories /verify-signatures /cleanup= /verify',
  ),
  push: grammar(
    'v/verbose q/quiet /repo= /all /branches /mirror d/delete /tags n/dry-run /porcelain f/force /force-with-lease? /force-if-includes /recurse-submodules= /thin u/set-upstream /progress /prune /verify /follow-tags /signed? /atomic o/push-option= 4/ipv4 6/ipv6',
  ),
  'ls-remote': grammar('h/heads b/branches t/tags /refs q/quiet /exit-code /get-url /sort= /symref o/server-option='),
};
