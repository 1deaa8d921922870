/**
 * The elements of a form, as a tree: the page and the HTML snippet are written from it, and the script for websites builds
 * it in the browser, so that all three have the same inputs.
 */
import type { FieldProblem } from '../../../kernel/errors.ts'
import { type Html, html, joined, trusted } from '../../../platform/http/html.ts'
import { type Language, textsIn } from '../preferences/actions.ts'
import { PROVIDERS } from './captcha.ts'
import { EMAIL_LABEL, type FormField } from './fields.ts'
import type { PublicForm } from './queries.ts'
import { type Body, TOKEN, TOPIC_PREFIX, TRAP } from './submission.ts'
import { FORM_TEXTS, type FormTexts } from './texts.ts'

type Attributes = Record<string, string | true | undefined>

/** A tag, its attributes, and its children. */
export type Tree = [tag: string, attributes: Attributes, ...children: (Tree | string)[]]

export interface FormState {
  language: Language
  /** Where the form is sent. */
  action: string
  token: string
  /** What the visitor has entered. */
  entered?: Body
  /** The campaign and the page that the visitor came from. */
  source?: Record<string, string>
  problems?: FieldProblem[]
}

export function formTree(form: PublicForm, state: FormState): Tree {
  const { language, action, token, entered = {}, source = {}, problems = [] } = state
  const texts = FORM_TEXTS[language]
  const hidden = { ...source, [TOKEN]: token }
  return [
    'form',
    { class: 'posthorn-form', method: 'post', action, 'accept-charset': 'utf-8' },
    ...Object.entries(hidden).map(([name, value]): Tree => ['input', { type: 'hidden', name, value }]),
    ...form.fields.map((field) => fieldTree(field, texts, entered[field.key], problems)),
    ...(form.choose_topics && form.offered.length > 0 ? [topicsTree(form, language, entered)] : []),
    trap,
    ...captchaTree(form, texts, problems),
    ...(form.consent_text ? [['p', { class: 'posthorn-consent' }, form.consent_text] as Tree] : []),
    ['button', {}, form.button_text ?? texts.button],
  ]
}

/** People neither see this nor reach it with the keyboard. */
const trap: Tree = [
  'p',
  { class: 'posthorn-trap', 'aria-hidden': 'true' },
  ['label', {}, 'Website', ['input', { name: TRAP, tabindex: '-1', autocomplete: 'off' }]],
]

export const labelOf = ({ key, label }: FormField, texts: FormTexts): string =>
  key === 'email' && label === EMAIL_LABEL ? texts.email : label

/** What to show at a field that was refused. */
const problemText = ({ type }: FormField, texts: FormTexts, isEmpty: boolean): string =>
  isEmpty ? texts.required : type === 'email' ? texts.address : texts.invalid

function fieldTree(field: FormField, texts: FormTexts, given: unknown, problems: FieldProblem[]): Tree {
  const { key, type, required } = field
  const id = `posthorn-${key}`
  const entered = typeof given === 'string' || typeof given === 'number' ? String(given) : ''
  const isRefused = problems.some((problem) => problem.field === key)
  const error: Tree[] = isRefused
    ? [['small', { class: 'posthorn-error', id: `${id}-error` }, problemText(field, texts, entered.trim() === '')]]
    : []
  const common: Attributes = {
    id,
    name: key,
    required: required || undefined,
    ...(isRefused && { 'aria-invalid': 'true', 'aria-describedby': `${id}-error` }),
  }
  if (type === 'checkbox') {
    const checked = entered !== '' || given === true || undefined
    const input: Tree = ['input', { ...common, type: 'checkbox', value: 'true', checked }]
    return ['p', { class: 'posthorn-check' }, ['label', {}, input, ['span', {}, field.label]], ...error]
  }
  const label: Tree = ['label', { for: id }, labelOf(field, texts), ...(required ? [] : optionalMark(texts))]
  return ['p', { class: 'posthorn-field' }, label, inputTree(field, common, texts, entered), ...error]
}

const optionalMark = ({ optional }: FormTexts): Array<Tree | string> => [' ', ['span', {}, optional]]

function inputTree({ key, type, options }: FormField, common: Attributes, texts: FormTexts, entered: string): Tree {
  if (type === 'select') {
    const option = (value: string, text: string): Tree => [
      'option',
      { value, selected: value === entered || undefined },
      text,
    ]
    return ['select', common, option('', texts.choose), ...options.map((value) => option(value, value))]
  }
  const kind: Attributes = {
    type,
    autocomplete: autocompleteOf(key, type),
    ...(type === 'number' && { step: 'any' }),
    ...(type === 'text' && { maxlength: '1000' }),
    value: entered || undefined,
  }
  return ['input', { ...common, ...kind }]
}

/** Browsers fill in fields that they recognize. */
const AUTOCOMPLETE: Array<[RegExp, string]> = [
  [/^(first|given)_?name$/, 'given-name'],
  [/^(last|family|sur)_?name$/, 'family-name'],
  [/^(full_?)?name$/, 'name'],
  [/^(company|organi[sz]ation)$/, 'organization'],
  [/^(phone|tel(ephone)?)$/, 'tel'],
]

const autocompleteOf = (key: string, type: FormField['type']): string | undefined =>
  type === 'email'
    ? 'email'
    : AUTOCOMPLETE.find(([pattern]) => pattern.test(key.toLowerCase().replaceAll('-', '_')))?.[1]

/** None is chosen at first, because that wouldn't be a consent. */
function topicsTree({ offered }: PublicForm, language: Language, entered: Body): Tree {
  return [
    'fieldset',
    {},
    ['legend', {}, textsIn(language).topic.topics],
    ...offered.map(({ key, name, description }): Tree => {
      const input = `${TOPIC_PREFIX}${key}`
      const checked = entered[input] === 'true' || undefined
      const about: Tree[] = description ? [['small', {}, description]] : []
      return [
        'label',
        {},
        ['input', { type: 'checkbox', name: input, value: 'true', checked }],
        ['span', {}, name, ...about],
      ]
    }),
  ]
}

function captchaTree({ captcha }: PublicForm, texts: FormTexts, problems: FieldProblem[]): Tree[] {
  if (!captcha) return []
  const { className, input } = PROVIDERS[captcha.provider]
  const widget: Tree = ['div', { class: className, 'data-sitekey': captcha.siteKey }]
  const isRefused = problems.some(({ field }) => field === input)
  return isRefused ? [widget, ['small', { class: 'posthorn-error' }, texts.captcha]] : [widget]
}

const VOID = new Set(['input'])

export function treeHtml([tag, attributes, ...children]: Tree): Html {
  const written = Object.entries(attributes).map(([name, value]) =>
    value === undefined ? html`` : value === true ? html` ${trusted(name)}` : html` ${trusted(name)}="${value}"`,
  )
  const start = html`<${trusted(tag)}${written}>`
  if (VOID.has(tag)) return start
  const inside = children.map((child) => (typeof child === 'string' ? html`${child}` : treeHtml(child)))
  return html`${start}${joined(inside, tag === 'form' ? '\n' : '')}</${trusted(tag)}>`
}
