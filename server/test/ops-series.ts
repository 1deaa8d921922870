/**
 * The series that the alert rules and the dashboard in ops/ use, and which of them processes don't have. A query about a
 * series that doesn't exist has no result, so an alert on it never fires.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
const { load: parseYaml } = createRequire(import.meta.url)('js-yaml') as { load(text: string): unknown }

export const ALERTS = 'ops/prometheus/alerts.yml'
export const ALERT_TESTS = 'ops/prometheus/alerts.test.yml'

export interface Rule {
  alert: string
  expr: string
  for: string
  labels: { severity: string }
  annotations: { summary: string; description: string }
}

export const rules = (parseYaml(read(ALERTS)) as { groups: Array<{ rules: Rule[] }> }).groups.flatMap(
  (group) => group.rules,
)

/** The alerts that alerts.test.yml shows to fire. */
export const alertsShownToFire = (
  parseYaml(read(ALERT_TESTS)) as {
    tests: Array<{ alert_rule_test: Array<{ alertname: string; exp_alerts: unknown[] }> }>
  }
).tests.flatMap(({ alert_rule_test }) =>
  alert_rule_test.filter(({ exp_alerts }) => exp_alerts.length > 0).map(({ alertname }) => alertname),
)

const { panels } = JSON.parse(read('ops/grafana/posthorn.json')) as {
  panels: Array<{ title: string; targets?: Array<{ expr: string }> }>
}

export const queries = [
  ...rules.map(({ alert, expr }) => ({ title: alert, expr })),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr }))),
]

interface Matcher {
  label: string
  operator: '=' | '!=' | '=~' | '!~'
  value: string
}

export interface Selector {
  name: string
  matchers: Matcher[]
}

const KEYWORDS = new Set(['and', 'or', 'unless', 'offset', 'bool'])
const LABEL_LISTS = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g
const RANGES = /\[[^\]]*\]/g

/** Every name that is neither a function nor a keyword, with its matchers. */
export function selectorsIn(expr: string): Selector[] {
  const text = expr.replaceAll(LABEL_LISTS, ' ').replaceAll(RANGES, ' ')
  return [...text.matchAll(/(?<![\w"$.])([a-zA-Z_:][\w:]*)\s*(\{(?:[^}"]|"[^"]*")*\}|\(|)/g)]
    .filter(([, name, next]) => next !== '(' && !KEYWORDS.has(name!))
    .map(([, name, braces]) => ({
      name: name!,
      matchers: [...braces!.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)].map(([, label, operator, value]) => ({
        label: label!,
        operator: operator as Matcher['operator'],
        value: value!,
      })),
    }))
}

export interface Series {
  name: string
  labels: Record<string, string>
}

/** As Prometheus stores them: with the labels of the target, whose `job` replaces that of the process. */
const seriesIn = (metrics: string): Series[] =>
  [...metrics.matchAll(/^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/gm)].map(([, name, text = '']) => {
    const { job, ...labels } = Object.fromEntries(
      [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, value]) => [label!, value!]),
    )
    return { name: name!, labels: { ...labels, ...(job && { exported_job: job }), job: 'posthorn', instance: 'main' } }
  })

/** Labels whose values appear only when something happens: not every status and outcome can exist in advance. */
const LATER_VALUES: Record<string, string> = {
  posthorn_http_request_seconds_count: 'status',
  posthorn_job_seconds_count: 'outcome',
}

const isVariable = (value: string) => value.startsWith('$')

function matches({ name, labels }: Series, selector: Selector): boolean {
  if (name !== selector.name) return false
  return selector.matchers.every(({ label, operator, value }) => {
    if (LATER_VALUES[name] === label || isVariable(value)) return label in labels
    const isEqual = operator.endsWith('~')
      ? new RegExp(`^(?:${value})$`).test(labels[label] ?? '')
      : (labels[label] ?? '') === value
    return operator.startsWith('!') ? !isEqual : isEqual
  })
}

/** What the alert rules and the dashboard use and no process has, with the title of the alert or panel. */
export function missingSeries(metrics: string): string[] {
  const series = seriesIn(metrics)
  return queries.flatMap(({ title, expr }) =>
    selectorsIn(expr)
      .filter((selector) => !series.some((one) => matches(one, selector)))
      .map(({ name, matchers }) => `${title}: ${name} ${JSON.stringify(matchers)}`),
  )
}
