/** German texts of what the checks of an email find, by code: what is wrong, and how to fix it. */

import type { FindingTexts } from '../../../mail/finding-texts.ts'

export const finding: FindingTexts = {
  'check.stopped': {
    problem: 'Die Prüfung hat zu lange gedauert und wurde abgebrochen.',
    fix: 'Kürzen Sie die E-Mail oder verwenden Sie weniger Elemente.',
  },
  'audience.empty': {
    problem: 'Kein Kontakt dieser Zielgruppe würde die E-Mail erhalten.',
    fix: 'Wählen Sie eine andere Zielgruppe.',
  },
  'variable.missing': {
    problem: 'Manchen Empfängern fehlt ein Wert',
    fix: 'Ergänzen Sie einen Ersatztext oder zeigen Sie den Text nur an, wenn es einen Wert gibt.',
  },
  'variable.unknown': {
    problem: 'Kein Kontakt hat dieses Feld',
    fix: 'Prüfen Sie den Namen, ergänzen Sie einen Ersatztext oder senden Sie den Wert mit jeder E-Mail in `data`.',
  },
  'client.unsupported': {
    problem: 'Nicht jedes E-Mail-Programm unterstützt dieses Element',
    fix: 'Ersetzen Sie es durch etwas Einfacheres, zum Beispiel eine Tabelle, ein Bild oder einen Link.',
  },
  'contrast.low': {
    problem: 'Ein Text hebt sich zu wenig vom Hintergrund ab',
    fix: 'Wählen Sie eine dunklere oder hellere Farbe.',
  },
  'image.alt': {
    problem: 'Ein Bild hat keinen Alternativtext',
    fix: 'Beschreiben Sie das Bild im Alternativtext oder kennzeichnen Sie es als dekorativ.',
  },
  'text.sample': {
    problem: 'Ein Text ist unverändert aus der Galerie',
    fix: 'Ersetzen Sie den Beispieltext durch Ihren eigenen oder entfernen Sie den Block.',
  },
  'link.empty': {
    problem: 'Ein Link hat keine URL.',
    fix: 'Geben Sie die URL einer Seite ein oder entfernen Sie den Link.',
  },
  'link.unsafe': {
    problem: 'Ein Link führt Code aus oder öffnet eine lokale Datei. E-Mail-Programme blockieren ihn',
    fix: 'Verwenden Sie eine URL, die mit https:// beginnt.',
  },
  'link.relative': {
    problem: 'Ein Link hat keine Domain und funktioniert daher nicht in einer E-Mail',
    fix: 'Verwenden Sie die vollständige URL, die mit https:// beginnt.',
  },
  'link.broken': { problem: 'Eine URL ist ungültig', fix: 'Prüfen Sie die URL auf Tippfehler.' },
  'link.example': {
    problem: 'Ein Link führt zu einer Beispieldomain',
    fix: 'Geben Sie die URL Ihrer eigenen Seite ein.',
  },
  'link.private': {
    problem: 'Ein Link führt zu einer privaten Adresse, die Empfänger nicht öffnen können',
    fix: 'Verwenden Sie die öffentliche URL der Seite.',
  },
  'link.insecure': {
    problem: 'Ein Link ist nicht verschlüsselt. Browser warnen vor solchen Seiten',
    fix: 'Verwenden Sie https:// statt http://.',
  },
  'image.empty': { problem: 'Ein Bild hat keine URL.', fix: 'Wählen Sie ein Bild oder entfernen Sie es.' },
  'image.embedded': {
    problem: 'Ein Bild ist als data:-URL eingebettet, die Gmail nicht anzeigt.',
    fix: 'Laden Sie das Bild hoch und verwenden Sie seine URL.',
  },
  'image.broken': {
    problem: 'Ein Bild hat keine gültige URL',
    fix: 'Verwenden Sie die vollständige URL, die mit https:// beginnt.',
  },
  'image.private': {
    problem: 'Ein Bild liegt auf einer privaten Adresse, sodass Empfänger es nicht sehen',
    fix: 'Laden Sie das Bild hoch und verwenden Sie seine URL.',
  },
  'image.insecure': {
    problem: 'Ein Bild wird unverschlüsselt geladen, sodass manche E-Mail-Programme es nicht anzeigen',
    fix: 'Verwenden Sie https:// statt http://.',
  },
  'image.large': {
    problem: 'Ein Bild ist so groß, dass es auf Smartphones langsam lädt',
    fix: 'Verwenden Sie ein kleineres oder stärker komprimiertes Bild.',
  },
  'unsubscribe.missing': {
    problem:
      'Die E-Mail hat keinen Abmeldelink. Headless-E-Mails haben keine Fußzeile, und Marketing-E-Mails brauchen einen Link.',
    fix: 'Fügen Sie einen Link zu {{unsubscribeUrl}} ein oder verwenden Sie den Typ „Marketing“.',
  },
  'address.missing': {
    problem: 'Die Postanschrift fehlt, die viele Länder in Marketing-E-Mails verlangen.',
    fix: 'Geben Sie die Anschrift unter „Einstellungen“, „Branding“ ein oder geben Sie dort an, dass Ihre E-Mails sie enthalten.',
  },
  'spam.phrase': {
    problem: 'Spamfilter achten auf diese Formulierung',
    fix: 'Verwenden Sie andere Wörter. Solche Formulierungen erhöhen die Spam-Bewertung einer E-Mail.',
  },
  'body.empty': { problem: 'Die E-Mail ist leer.', fix: 'Fügen Sie Inhalt hinzu.' },
  'text.little': {
    problem:
      'Die E-Mail enthält sehr wenig Text. Spamfilter weisen E-Mails, die nur aus Bildern bestehen, oft ab, und ohne Bilder ist nichts zu sehen.',
    fix: 'Schreiben Sie das Wichtige als Text.',
  },
  'size.clipped': {
    problem: 'Das HTML ist so lang, dass Gmail das Ende der E-Mail abschneidet.',
    fix: 'Kürzen Sie die E-Mail oder verlagern Sie Teile auf eine Webseite.',
  },
  'subject.empty': { problem: 'Der Betreff ist leer.', fix: 'Schreiben Sie einen Betreff.' },
  'subject.long': {
    problem: 'Der Betreff ist so lang, dass Smartphones nur seinen Anfang zeigen.',
    fix: 'Kürzen Sie ihn, und beginnen Sie mit den wichtigsten Wörtern.',
  },
  'subject.capitals': {
    problem: 'Der Betreff steht in Großbuchstaben.',
    fix: 'Verwenden Sie die übliche Groß- und Kleinschreibung.',
  },
  'subject.punctuation': {
    problem: 'Der Betreff hat mehrere Ausrufe- oder Fragezeichen.',
    fix: 'Verwenden Sie höchstens eines.',
  },
  'subject.reply': {
    problem: 'Der Betreff sieht wie eine Antwort oder Weiterleitung aus.',
    fix: 'Entfernen Sie „Re:“ oder „Fwd:“. Empfänger und Filter halten es für irreführend.',
  },
  'preheader.missing': {
    problem: 'Es gibt keinen Preheader. Postfächer zeigen stattdessen die ersten Wörter der E-Mail.',
    fix: 'Ergänzen Sie mit dem Preheader, was der Betreff offenlässt.',
  },
  'preheader.long': {
    problem: 'Der Preheader ist so lang, dass Postfächer nur seinen Anfang zeigen.',
    fix: 'Kürzen Sie ihn.',
  },
  'preheader.repeated': {
    problem: 'Der Preheader wiederholt den Betreff.',
    fix: 'Schreiben Sie einen Preheader, der den Betreff ergänzt.',
  },
}
