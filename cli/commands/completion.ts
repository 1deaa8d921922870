import { COMMON_OPTIONS, type Command, type Commands, type Option } from '../command.ts'
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

/** The options of each command, by its noun and verb. */
const optionsOf = (commands: Commands) =>
  Object.entries(commands).flatMap(([noun, verbs]) =>
    Object.entries(verbs).map(([verb, { options }]) => ({
      path: [noun, verb].filter(Boolean).join(' '),
      options: Object.entries({ ...options, ...COMMON_OPTIONS }),
    })),
  )

const flags = (options: [string, Option][]) => options.map(([name]) => `--${name}`).join(' ')

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
  if [[ "\${COMP_WORDS[COMP_CWORD]}" == -* ]]; then
    case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${optionsOf(commands)
  .map(({ path, options }) => `      "${path}"${path.includes(' ') ? '' : '*'}) words="${flags(options)}" ;;`)
  .join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _posthorn posthorn
`,
  zsh: (commands: Commands) => `# eval "$(posthorn completion zsh)"
_posthorn() {
  if [[ "\${words[CURRENT]}" == -* ]]; then
    case "\${words[2]} \${words[3]}" in
${optionsOf(commands)
  .map(({ path, options }) => `      "${path}"${path.includes(' ') ? '' : '*'}) compadd -- ${flags(options)} ;;`)
  .join('\n')}
    esac
  elif (( CURRENT == 2 )); then compadd ${nounsOf(commands)}
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
${optionsOf(commands)
  .flatMap(({ path, options }) =>
    options.map(([name, { value, summary }]) => {
      const seen = path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`)
      return `complete -c posthorn -n "${seen.join('; and ')}" -l ${name}${value ? ' -r' : ''} -d "${summary.replace(/["$`\\]/g, '')}"`
    }),
  )
  .join('\n')}
`,
}
