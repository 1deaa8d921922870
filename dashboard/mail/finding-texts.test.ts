import { expect, it } from 'vitest'
import { finding } from '../languages/de/mail/finding-texts.ts'
import { inWords } from './finding-texts.ts'

it.each([
  [
    'link.example',
    'The link https://example.com/a leads to an example domain.',
    'Ein Link führt zu einer Beispieldomain: https://example.com/a',
  ],
  ['link.broken', 'htps:/x is not a valid URL.', 'Eine URL ist ungültig: htps:/x'],
  ['image.alt', 'An image has no alternative text.', 'Ein Bild hat keinen Alternativtext.'],
  [
    'spam.phrase',
    '"act now" is a phrase that spam filters look for.',
    'Spamfilter achten auf diese Formulierung: act now',
  ],
  [
    'variable.missing',
    'Less than 1% of this audience has no firstName.',
    'Manchen Empfängern fehlt ein Wert: 1%, firstName',
  ],
  [
    'client.unsupported',
    '<form> is not supported by Outlook (caniemail.com/features/html-form/).',
    'Nicht jedes E-Mail-Programm unterstützt dieses Element: <form>',
  ],
  ['body.empty', 'The email is empty.', 'Die E-Mail ist leer.'],
])('the finding %s is shown in another language, with what it is about', (code, message, expected) => {
  expect(inWords({ code, message, fix: '' }, finding)).toEqual({ message: expected, fix: finding[code]!.fix })
})

it('a finding is shown in English as the service describes it', () => {
  const found = { code: 'body.empty', message: 'The email is empty.', fix: 'Add content.' }
  expect(inWords(found)).toEqual({ message: found.message, fix: found.fix })
})
