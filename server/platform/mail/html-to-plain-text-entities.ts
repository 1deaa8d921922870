/**
 * HTML character references turned back into characters: every numeric form and the names that mail really uses
 * (Latin-1, Greek, punctuation, arrows). An unknown name stays as it was written, which is what a reader expects.
 */

const LATIN1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
  'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
  'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
  'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
  'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
  'thorn yuml'

const GREEK =
  'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi ' +
  'Chi Psi Omega - - - - - - - alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho ' +
  'sigmaf sigma tau upsilon phi chi psi omega'

const OTHERS =
  'quot=" amp=& lt=< gt=> apos=\' ndash=– mdash=— lsquo=‘ rsquo=’ sbquo=‚ ldquo=“ rdquo=” bdquo=„ lsaquo=‹ rsaquo=› ' +
  'dagger=† Dagger=‡ bull=• hellip=… permil=‰ prime=′ Prime=″ euro=€ trade=™ OElig=Œ oelig=œ Scaron=Š scaron=š ' +
  'Zcaron=Ž zcaron=ž Ccaron=Č ccaron=č Rcaron=Ř rcaron=ř Yuml=Ÿ fnof=ƒ circ=ˆ tilde=˜ larr=← uarr=↑ rarr=→ darr=↓ ' +
  'harr=↔ rArr=⇒ lArr=⇐ minus=− infin=∞ ne=≠ le=≤ ge=≥ asymp=≈ radic=√ sum=∑ prod=∏ part=∂ int=∫ loz=◊ spades=♠ ' +
  'clubs=♣ hearts=♥ diams=♦ star=☆ starf=★ phone=☎ check=✓ cross=✗ copysr=℗ numero=№ sol=/ colon=: comma=, period=. ' +
  'excl=! quest=? num=# dollar=$ percnt=% lpar=( rpar=) lsqb=[ rsqb=] lcub={ rcub=} lowbar=_ hyphen=‐ dash=‐ ' +
  'commat=@ ast=* plus=+ equals== semi=; vert=| grave=` bsol=\\ zwnj=\u200c zwj=\u200d lrm=\u200e rlm=\u200f ' +
  'ensp=\u2002 emsp=\u2003 thinsp=\u2009 hairsp=\u200a Tab=\t NewLine=\n'

/** Numbers 128–159 mean windows-1252 on the web, whatever Unicode says. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

const characters = new Map<string, string>()
/** Names old enough to be understood without their semicolon. */
const withoutSemicolon = new Set(['quot', 'amp', 'lt', 'gt'])

LATIN1.split(' ').forEach((name, index) => {
  characters.set(name, String.fromCharCode(160 + index))
  withoutSemicolon.add(name)
})
GREEK.split(' ').forEach((name, index) => {
  if (name !== '-') characters.set(name, String.fromCharCode(913 + index))
})
for (const entry of OTHERS.split(' ')) {
  const split = entry.indexOf('=')
  characters.set(entry.slice(0, split), entry.slice(split + 1))
}

const REFERENCE = /&(?:#(\d+)|#[xX]([0-9a-fA-F]+)|([A-Za-z][A-Za-z0-9]{1,31}))(;?)/g

/** In an attribute a name needs its semicolon: `?a=1&copy=2` is an address, not a copyright sign. */
export function decodeEntities(text: string, where: 'text' | 'attribute'): string {
  if (!text.includes('&')) return text
  return text.replace(REFERENCE, (written: string, decimal, hexadecimal, name, semicolon: string) => {
    if (name !== undefined) {
      const known = semicolon !== '' || (where === 'text' && withoutSemicolon.has(name))
      return (known && characters.get(name)) || written
    }
    return characterOf(decimal !== undefined ? Number.parseInt(decimal, 10) : Number.parseInt(hexadecimal, 16))
  })
}

function characterOf(code: number): string {
  if (code >= 0x80 && code <= 0x9f) return WINDOWS_1252.charAt(code - 0x80)
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : '\ufffd'
}
