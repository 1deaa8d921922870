/**
 * HTML and CSS that major mail clients don't support. The table has only features whose absence breaks an email, from
 * the test results at https://www.caniemail.com (data of September 2025): Gmail, Outlook for Windows, Outlook.com, Apple
 * Mail and Yahoo. Its packages check every property, of which most are harmless where they are ignored.
 */
import { attributeValue, readHtml } from '../../../platform/html/html-reader.ts'
import { type CheckedContent, type HtmlFinding, maskLiquid } from './finding.ts'

interface Feature {
  /** The page of the feature at caniemail.com. */
  slug: string
  name: string
  clients: string
  fix: string
  severity?: HtmlFinding['severity']
}

const TAGS: Record<string, Feature> = {
  script: { slug: 'html-script', name: '<script>', clients: 'No mail client', fix: 'Remove it.', severity: 'error' },
  iframe: {
    slug: 'html-iframe',
    name: '<iframe>',
    clients: 'No mail client',
    fix: 'Link to the page.',
    severity: 'error',
  },
  object: { slug: 'html-object', name: '<object>', clients: 'Gmail and Outlook', fix: 'Link to the content.' },
  embed: { slug: 'html-object', name: '<embed>', clients: 'Gmail and Outlook', fix: 'Link to the content.' },
  form: { slug: 'html-form', name: '<form>', clients: 'Outlook', fix: 'Link to a page with the form.' },
  video: { slug: 'html-video', name: '<video>', clients: 'Gmail and Outlook', fix: 'Show an image that links to it.' },
  audio: { slug: 'html-audio', name: '<audio>', clients: 'Gmail and Outlook', fix: 'Link to the recording.' },
  svg: { slug: 'html-svg', name: '<svg>', clients: 'Gmail and Outlook', fix: 'Use a PNG image.' },
  canvas: { slug: 'html-script', name: '<canvas>', clients: 'No mail client', fix: 'Use an image.' },
  dialog: { slug: 'html-dialog', name: '<dialog>', clients: 'Gmail and Outlook', fix: 'Use ordinary text.' },
  base: { slug: 'html-base', name: '<base>', clients: 'Gmail and Outlook', fix: 'Use full URLs.' },
}

const STYLES: [RegExp, Feature][] = [
  [
    /display\s*:\s*(inline-)?flex/i,
    { slug: 'css-display-flex', name: 'display: flex', clients: 'Outlook for Windows', fix: 'Use a table or columns.' },
  ],
  [
    /display\s*:\s*(inline-)?grid/i,
    { slug: 'css-display-grid', name: 'display: grid', clients: 'Gmail and Outlook', fix: 'Use a table or columns.' },
  ],
  [
    /position\s*:\s*(absolute|fixed|sticky)/i,
    { slug: 'css-position', name: 'position', clients: 'Gmail and Outlook', fix: 'Place the content with a table.' },
  ],
  [
    /var\(\s*--/i,
    { slug: 'css-variables', name: 'var()', clients: 'Gmail and Outlook', fix: 'Write the value itself.' },
  ],
  [/:\s*calc\(/i, { slug: 'css-unit-calc', name: 'calc()', clients: 'Outlook', fix: 'Use pixels or percentages.' }],
  [
    /(?<![\w-])transform\s*:/i,
    { slug: 'css-transform', name: 'transform', clients: 'Gmail and Outlook', fix: 'Use an image instead.' },
  ],
  [
    /\bclip-path\s*:/i,
    { slug: 'css-clip-path', name: 'clip-path', clients: 'Gmail and Outlook', fix: 'Use an image instead.' },
  ],
]

const IN_STYLE_SHEET: [RegExp, Feature][] = [
  [/@import\b/i, { slug: 'css-at-import', name: '@import', clients: 'Gmail', fix: 'Include the styles in the email.' }],
  ...STYLES,
]

export function checkClients({ html }: Pick<CheckedContent, 'html'>): HtmlFinding[] {
  const source = maskLiquid(html)
  const found = new Map<string, HtmlFinding>()
  const add = (feature: Feature, at: number, needle: string) =>
    !found.has(feature.slug) && found.set(feature.slug, { ...describe(feature), at, needle })
  const search = (rules: [RegExp, Feature][], text: string, at: (position: number) => number) => {
    for (const [pattern, rule] of rules) {
      const match = found.has(rule.slug) ? null : pattern.exec(text)
      if (match) add(rule, at(match.index), match[0])
    }
  }
  let isStyleSheet = false
  readHtml(source, {
    text(start, end) {
      if (isStyleSheet) search(IN_STYLE_SHEET, source.slice(start, end), (position) => start + position)
    },
    startTag(tag) {
      isStyleSheet = tag.name === 'style'
      const feature = TAGS[tag.name]
      if (feature) add(feature, tag.end - 1, `<${tag.name}`)
      if (tag.name === 'link' && /stylesheet/i.test(attributeValue(source, tag, 'rel')))
        add(STYLE_SHEET, tag.end - 1, '<link')
      const style = attributeValue(source, tag, 'style')
      if (style) search(STYLES, style, () => tag.end - 1)
    },
    endTag() {
      isStyleSheet = false
    },
  })
  return [...found.values()]
}

const STYLE_SHEET: Feature = {
  slug: 'html-link',
  name: 'An external style sheet',
  clients: 'Gmail',
  fix: 'Include the styles in the email.',
}

const describe = ({ slug, name, clients, fix, severity = 'warning' }: Feature) => ({
  code: 'client.unsupported',
  severity,
  message: clients.startsWith('No ')
    ? `${clients} supports ${name} (caniemail.com/features/${slug}/).`
    : `${name} is not supported by ${clients} (caniemail.com/features/${slug}/).`,
  fix,
})
