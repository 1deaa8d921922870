/**
 * The variables of a template that have no value, which a preview reports. A name with `??` or the `default` filter is
 * not missing, nor is one that the template sets. The engine's own analysis counts lines up to every name, which took
 * two minutes for 6,000 names at the end of a long text; this one is linear.
 */
import { type Arguments, type Template as Node, TypeGuards, toValueSync, Value } from 'liquidjs'
import { RenderContext } from './context.ts'
import { engine } from './engine.ts'
import type { Scope, Template } from './template.ts'

interface NameUse {
  path: string[]
  /** Another value is used if the name has no value. */
  provided: boolean
  /** A condition or a loop depends on it, so its absence is expected. */
  tested?: boolean
}

/** Each once, written as `profile.tier` and `orders.0.total`, in the order of their first use. */
export function missingNames(template: Template, scope: Scope): string[] {
  const context = new RenderContext(scope, engine, { escape: false, now: new Date(0) })
  const missing = new Set<string>()
  for (const { path, provided } of namesIn(template.nodes, [new Set()])) {
    if (!provided && (context.getSync(path) ?? null) === null) missing.add(path.join('.'))
  }
  return [...missing]
}

/** The names whose absence would leave a gap: without a fallback, and without a condition or loop that depends on them. */
export function unguardedNames(template: Template): string[] {
  const uses = [...namesIn(template.nodes, [new Set()])]
  const tested = new Set(uses.filter((use) => use.tested).map(({ path }) => path.join('.')))
  const isTested = (path: string[]) => path.some((_part, i) => tested.has(path.slice(0, i + 1).join('.')))
  return [
    ...new Set(uses.filter(({ path, provided }) => !provided && !isTested(path)).map(({ path }) => path.join('.'))),
  ]
}

const TESTING_TAGS = new Set(['if', 'elsif', 'unless', 'case', 'when', 'for', 'tablerow'])

const isTesting = (node: Node): boolean => 'name' in node && TESTING_TAGS.has(String(node.name))

/** `own` has the names that the template sets: those of its tags, then those of the enclosing loops. */
function* namesIn(nodes: Node[], own: Set<string>[]): Generator<NameUse> {
  for (const node of nodes) {
    for (const argument of node.arguments?.() ?? []) {
      for (const use of namesInArgument(argument)) {
        if (!own.some((names) => names.has(use.path[0]!))) yield isTesting(node) ? { ...use, tested: true } : use
      }
    }
    for (const { content } of node.localScope?.() ?? []) own[0]!.add(content)
    const children: Node[] = node.children ? toValueSync(node.children(false, true)) : []
    yield* namesIn(children, [...own, new Set(node.blockScope?.() ?? [])])
  }
}

type Argument = Arguments extends Iterable<infer One> ? One : never
type FilterArguments = Value['filters'][number]['args']

function* namesInArgument(argument: Argument): Generator<NameUse> {
  if (!(argument instanceof Value)) return yield* namesInToken(argument, false)
  const provided = argument.filters.some((filter) => filter.name === 'default')
  for (const token of argument.initial.postfix) yield* namesInToken(token, provided)
  for (const filter of argument.filters) yield* namesInFilter(filter.args)
}

function* namesInFilter(args: FilterArguments): Generator<NameUse> {
  for (const arg of args) yield* namesInToken(Array.isArray(arg) ? arg[1] : arg, false)
}

function* namesInToken(token: unknown, provided: boolean): Generator<NameUse> {
  if (TypeGuards.isPropertyAccessToken(token)) yield* namesInPath(token, provided)
  if (!TypeGuards.isFilteredValueToken(token)) return
  const choices = token.initial.postfix
  for (const [i, choice] of choices.entries()) {
    yield* namesInToken(choice, provided || isFallback(choice, choices[i + 1]))
  }
  for (const filter of token.filters) yield* namesInFilter(filter.args)
}

type Token = Node['token']

/** The values of a computed expression are separated by `??`, `..` or an operator. */
const isFallback = (choice: Token, next: Token | undefined): boolean =>
  next !== undefined && choice.input.slice(choice.end, next.begin).trim() === '??'

type Path = Extract<Argument, { props: unknown }>

/** If a part of the path is computed, as in `table[key].x`, the name ends before it. */
function* namesInPath({ variable, props }: Path, provided: boolean): Generator<NameUse> {
  if (variable) yield* namesInToken(variable, false)
  const known = props.findIndex((part) => contentOf(part) === undefined)
  const path = (known === -1 ? props : props.slice(0, known)).map((part) => contentOf(part)!)
  if (!variable && path.length > 0) yield { path, provided }
  for (const part of props) if (contentOf(part) === undefined) yield* namesInToken(part, false)
}

function contentOf(part: Path['props'][number]): string | undefined {
  const isKnown = TypeGuards.isWordToken(part) || TypeGuards.isQuotedToken(part) || TypeGuards.isNumberToken(part)
  return isKnown ? String(part.content) : undefined
}
