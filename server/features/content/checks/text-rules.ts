/** Rules on the subject, the preheader and the text of an email. */
import {
  type CheckedContent,
  comparable,
  type Finding,
  type HtmlFinding,
  type LineFinding,
  withoutLiquid,
} from './finding.ts'

/** Longer subjects are cut off on phones, and later on computers. */
const SUBJECT_MAX = 60
const PREHEADER_MAX = 110
/** With less text than this next to images, an email looks as if it hides its text from filters. */
const TEXT_MIN = 40
/** Gmail hides the rest of longer messages, including the unsubscribe link, until the reader asks for it. */
const GMAIL_CLIP_BYTES = 102 * 1024

/**
 * Phrases that content filters such as SpamAssassin's rules give points for. A single one rarely matters; they are
 * reported so that authors can choose other words.
 */
const SPAM_PHRASES = [
  '100% free',
  'act now',
  'apply now',
  'as seen on',
  'buy now',
  'call now',
  'cash bonus',
  'click below',
  'click here',
  'congratulations! you',
  'dear friend',
  'double your',
  'earn extra cash',
  'earn money',
  'eliminate debt',
  'exclusive deal',
  'extra income',
  'fast cash',
  'free gift',
  'free money',
  'free trial!',
  'get paid',
  'get rich',
  'guaranteed income',
  'increase your sales',
  'limited time offer',
  'lose weight',
  'lowest price',
  'make money',
  'million dollars',
  'miracle',
  'money back',
  'no catch',
  'no cost',
  'no obligation',
  'no strings attached',
  'not spam',
  'once in a lifetime',
  'online casino',
  'order now',
  'pre-approved',
  'risk-free',
  'satisfaction guaranteed',
  'special promotion',
  'this won’t last',
  'urgent response',
  'viagra',
  'weight loss',
  'while supplies last',
  'why pay more',
  'winner',
  'work from home',
  'you have been selected',
  'you’re a winner',
]

export function checkSubject({ subject }: Pick<CheckedContent, 'subject'>): LineFinding[] {
  const fixed = withoutLiquid(subject).trim()
  const found: LineFinding[] = []
  const add = (code: string, severity: Finding['severity'], message: string, fix: string) =>
    found.push({ code, severity, message, fix, field: 'subject' })
  if (subject.trim() === '') add('subject.empty', 'error', 'The subject is empty.', 'Write a subject.')
  if (fixed.length > SUBJECT_MAX)
    add(
      'subject.long',
      'warning',
      `The subject has ${fixed.length} characters; phones show about ${SUBJECT_MAX}.`,
      `Use at most ${SUBJECT_MAX} characters, with the most important words first.`,
    )
  const letters = fixed.replace(/[^\p{L}]/gu, '')
  if (letters.length >= 8 && letters === letters.toUpperCase() && letters !== letters.toLowerCase())
    add('subject.capitals', 'warning', 'The subject is written in capital letters.', 'Use ordinary capitalization.')
  if (/[!?]{2}|!.*!/.test(fixed))
    add('subject.punctuation', 'warning', 'The subject has several exclamation or question marks.', 'Use at most one.')
  if (/^\s*(re|fw|fwd|aw|wg)\s*:/i.test(fixed))
    add(
      'subject.reply',
      'warning',
      'The subject looks like a reply or a forwarded message.',
      'Remove "Re:" or "Fwd:". Recipients and filters treat it as deceptive.',
    )
  return found
}

export function checkPreheader({ subject, preheader }: Pick<CheckedContent, 'subject' | 'preheader'>): LineFinding[] {
  const fixed = withoutLiquid(preheader).trim()
  const about = (code: string, severity: Finding['severity'], message: string, fix: string): LineFinding[] => [
    { code, severity, message, fix, field: 'preheader' },
  ]
  if (preheader.trim() === '')
    return about(
      'preheader.missing',
      'info',
      'There is no preheader, so inboxes show the first words of the email after the subject.',
      'Write a preheader that adds to the subject.',
    )
  if (fixed.length > PREHEADER_MAX)
    return about(
      'preheader.long',
      'info',
      `The preheader has ${fixed.length} characters; inboxes show at most about ${PREHEADER_MAX}.`,
      `Use at most ${PREHEADER_MAX} characters.`,
    )
  if (preheader.trim().toLowerCase() === subject.trim().toLowerCase())
    return about(
      'preheader.repeated',
      'warning',
      'The preheader repeats the subject.',
      'Write a preheader that adds to the subject.',
    )
  return []
}

export function checkPhrases({
  subject,
  html,
  text,
}: Pick<CheckedContent, 'subject' | 'html' | 'text'>): (LineFinding | HtmlFinding)[] {
  const fix = 'Use other words. Such phrases raise the spam score of an email.'
  const message = (phrase: string) => `"${phrase}" is a phrase that spam filters look for.`
  const inSubject = phrasesIn(subject).map(
    (phrase): LineFinding => ({
      code: 'spam.phrase',
      severity: 'warning',
      message: message(phrase),
      fix,
      field: 'subject',
    }),
  )
  const inText = phrasesIn(withoutLiquid(text)).map(
    (phrase): HtmlFinding => ({
      code: 'spam.phrase',
      severity: 'warning',
      message: message(phrase),
      fix,
      at: Math.max(0, comparable(html).indexOf(phrase)),
      needle: phrase,
    }),
  )
  return [...inSubject, ...inText]
}

function phrasesIn(text: string): string[] {
  const plain = ` ${comparable(text).replace(/\s+/g, ' ')} `
  return SPAM_PHRASES.filter((phrase) => {
    const at = plain.indexOf(phrase)
    return at !== -1 && !/\p{L}/u.test(plain[at - 1] ?? '') && !/\p{L}/u.test(plain[at + phrase.length] ?? '')
  })
}

export function checkTextAndSize({ html, text: part }: Pick<CheckedContent, 'html' | 'text'>): HtmlFinding[] {
  const found: HtmlFinding[] = []
  const text = part
    .replace(/https?:\/\/\S+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (html.trim() === '') {
    found.push({ code: 'body.empty', severity: 'error', message: 'The email is empty.', fix: 'Add content.', at: 0 })
  } else if (text.length < TEXT_MIN) {
    found.push({
      code: 'text.little',
      severity: 'warning',
      message: `The text part has only ${text.length} characters. Spam filters often reject emails that consist of images, and clients that block images show nothing.`,
      fix: 'Write the important content as text.',
      at: 0,
    })
  }
  const bytes = Buffer.byteLength(html)
  if (bytes > GMAIL_CLIP_BYTES)
    found.push({
      code: 'size.clipped',
      severity: 'warning',
      message: `The HTML is ${Math.ceil(bytes / 1024)} KB. Gmail clips messages over ${GMAIL_CLIP_BYTES / 1024} KB.`,
      fix: 'Shorten the email, or move parts of it to a web page.',
      at: 0,
    })
  return found
}
