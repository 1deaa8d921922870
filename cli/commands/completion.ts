import type { Command, Commands } from '../command.ts'
import { UsageError } from '../errors.ts'

const SERVER_COMMANDS = ['setup', 'backup', 'restore', 'restore-archive', 'rebuild-analytics', 'upgrade-database']

export const completion: Command = {
  summary: 'Print the completion for bash, zsh or fish',
  args: ['SHELL'],
  run: async ({ args, commands }) => {
    const write = WRITERS[args[0] as keyof typeof WRITERS]
    if (!write) throw new UsageError('SHELL must be bash, zsh or fish.')
    process.stdout.write(write(commands))
  },
}

const verbsOf = (commands: Commands) =>
  Object.entries(commands).map(([noun, verbs]) => [noun, Object.keys(verbs).filter(Boolean)] as const)

const nounsOf = (commands: Commands) => [...Object.keys(commands), ...SERVER_COMMANDS].join(' ')

const WRITERS = {
  bash: (commands: Commands) => `# eval "$(posthorn completion bash)"
_posthorn() {
  local words=""
  if [ "$COMP_CWORD" -eq 1 ]; then words="${nounsOf(commands)}"
  elif [ "$COMP_CWORD" -eq 2 ]; then
    case "\${COMP_WORDS[1]}" in
${verbsOf(commands)
  .filter(([, verbs]) => verbs.length > 0)
  .map(([noun, verbs]) => `      ${noun}) words="${verbs.join(' ')}" ;;`)
  .join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _posthorn posthorn
`,
  zsh: (commands: Commands) => `# eval "$(posthorn completion zsh)"
_posthorn() {
  if (( CURRENT == 2 )); then compadd ${nounsOf(commands)}
  elif (( CURRENT == 3 )); then
    case "\${words[2]}" in
${verbsOf(commands)
  .filter(([, verbs]) => verbs.length > 0)
  .map(([noun, verbs]) => `      ${noun}) compadd ${verbs.join(' ')} ;;`)
  .join('\n')}
      *) _files ;;
    esac
  else _files
  fi
}
compdef _posthorn posthorn
`,
  fish: (commands: Commands) => `# posthorn completion fish | source
complete -c posthorn -n __fish_use_subcommand -a "${nounsOf(commands)}"
${verbsOf(commands)
  .filter(([, verbs]) => verbs.length > 0)
  .map(([noun, verbs]) => `complete -c posthorn -f -n "__fish_seen_subcommand_from ${noun}" -a "${verbs.join(' ')}"`)
  .join('\n')}
`,
}
