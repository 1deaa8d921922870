/** Renders the Helm chart, with as much of Helm's template language as its templates use. Anything else is an error. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

export const CHART = path.resolve(import.meta.dirname, '../../../deploy/helm')

const { load, dump } = createRequire(import.meta.url)('js-yaml') as {
  load(text: string): Record<string, unknown>
  dump(value: unknown, options: object): string
}

type Data = Record<string, unknown>
type Node = { text: string } | { action: string } | { condition: string; inside: Node[]; otherwise: Node[] }

/** The manifests of each file, with `values` over those of values.yaml. */
export function renderChart(values: Data = {}, release = 'posthorn'): Map<string, string> {
  const read = (file: string) => readFileSync(path.join(CHART, file), 'utf8')
  const chart = load(read('Chart.yaml'))
  const scope = {
    Values: merged(load(read('values.yaml')), values),
    Release: { Name: release },
    Chart: { Name: chart.name, Version: chart.version, AppVersion: chart.appVersion },
  }
  const files = readdirSync(path.join(CHART, 'templates')).map((name) => [name, read(`templates/${name}`)] as const)
  const partials = new Map<string, Node[]>()
  const parsed = files.map(([name, text]) => [name, parse(text, partials)] as const)
  const manifests = parsed.filter(([name]) => !name.startsWith('_'))
  return new Map(manifests.map(([name, nodes]) => [name, render(nodes, scope, partials)]))
}

export function merged(base: Data, over: Data): Data {
  const isMap = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value)
  const entries = Object.entries(over).map(([name, value]) => {
    const own = base[name]
    return [name, isMap(own) && isMap(value) ? merged(own, value) : value]
  })
  return { ...base, ...Object.fromEntries(entries) }
}

function parse(text: string, partials: Map<string, Node[]>): Node[] {
  const trimmed = text.replaceAll(/\s*\{\{-/g, '{{').replaceAll(/-\}\}\s*/g, '}}')
  const parts = trimmed.split(/\{\{\s*(.*?)\s*\}\}/s) // every second one is an action
  let at = 0
  const block = (): { nodes: Node[]; end: string } => {
    const nodes: Node[] = []
    for (; at < parts.length; at++) {
      const part = parts[at]!
      const [word, ...rest] = part.split(' ')
      if (at % 2 === 0) nodes.push({ text: part })
      else if (word === 'end' || word === 'else') return { nodes, end: word }
      else if (word === 'if' || word === 'define') {
        at++
        const inside = block()
        let otherwise: Node[] = []
        if (inside.end === 'else') {
          at++
          otherwise = block().nodes
        }
        if (word === 'define') partials.set(rest.join(' ').replaceAll('"', ''), inside.nodes)
        else nodes.push({ condition: rest.join(' '), inside: inside.nodes, otherwise })
      } else nodes.push({ action: part })
    }
    return { nodes, end: '' }
  }
  const { nodes, end } = block()
  if (end !== '') throw new Error(`A template has an ${end} too many.`)
  return nodes
}

function render(nodes: Node[], scope: Data, partials: Map<string, Node[]>): string {
  const argument = (text: string): unknown => {
    if (text === '.') return scope
    if (/^".*"$/.test(text)) return text.slice(1, -1)
    if (/^\d+$/.test(text)) return Number(text)
    if (!/^\.[\w.]+$/.test(text)) throw new Error(`The test can't evaluate ${text}.`)
    const value = text
      .split('.')
      .slice(1)
      .reduce<unknown>((from, name) => (from as Data | undefined)?.[name], scope)
    if (value === undefined) throw new Error(`${text} has no value.`)
    return value
  }
  const call = (command: string, piped: unknown[]): unknown => {
    const [name = '', ...rest] = command.split(/\s+/)
    const given = [...rest.map(argument), ...piped]
    const [first, second] = given
    if (name === 'toYaml') return dump(first, { lineWidth: -1, quotingType: '"' }).trimEnd()
    if (name === 'nindent') return `\n${String(second).replaceAll(/^(?=.)/gm, ' '.repeat(Number(first)))}`
    if (name === 'default') return isTrue(second) ? second : first
    if (name === 'sha256sum') return createHash('sha256').update(String(first)).digest('hex')
    if (name === 'include') {
      const partial = partials.get(String(first))
      if (!partial) throw new Error(`There is no template ${first}.`)
      return render(partial, scope, partials).trimEnd()
    }
    if (rest.length > 0) throw new Error(`The test can't evaluate ${command}.`)
    return argument(name)
  }
  const evaluate = (action: string) =>
    action.split(/\s*\|\s*/).reduce<unknown[]>((piped, command) => [call(command, piped)], [])[0]
  return nodes
    .map((node) => {
      if ('text' in node) return node.text
      if ('action' in node) return String(evaluate(node.action))
      return render(isTrue(evaluate(node.condition)) ? node.inside : node.otherwise, scope, partials)
    })
    .join('')
}

const isTrue = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value)
