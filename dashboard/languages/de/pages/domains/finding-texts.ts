/** German texts of what the check of a domain finds, by code. */
import type { DomainFindingTexts } from '../../../../pages/domains/finding-texts.ts'

export const domainFinding: DomainFindingTexts = {
  'dns.unknown': ({ topic, reason }) => `${topic} konnte nicht geprüft werden: ${reason}.`,
  'spf.several': ({ domain, count }) =>
    `${domain} hat ${count} SPF-Einträge, deshalb ignorieren Empfänger alle. Fassen Sie sie zu einem Eintrag zusammen, der mit v=spf1 beginnt.`,
  'spf.open': ({ domain }) =>
    `Der SPF-Eintrag von ${domain} endet mit +all, womit jeder senden darf. Ändern Sie das zu ~all.`,
  'spf.lookups': ({ domain, lookups, max }) =>
    `Der SPF-Eintrag von ${domain} erfordert ${lookups} DNS-Abfragen; höchstens ${max} sind erlaubt. Entfernen Sie nicht mehr genutzte Teile.`,
  'spf.incomplete': ({ domain, mechanism }) =>
    `Der SPF-Eintrag von ${domain} enthält nicht den Server, der Ihre E-Mails sendet. Fügen Sie ${mechanism} nach v=spf1 hinzu.`,
  'spf.incomplete-relay': ({ domain, mechanism }) =>
    `Der SPF-Eintrag von ${domain} enthält nicht den Server, der Ihre E-Mails sendet. Fügen Sie ${mechanism} oder das include: Ihres Mailserver-Anbieters nach v=spf1 hinzu.`,
  'spf.no-end': ({ domain }) =>
    `Der SPF-Eintrag von ${domain} legt nicht fest, was für andere Absender gilt. Lassen Sie ihn mit ~all enden.`,
  'spf.none': ({ domain, mechanism }) =>
    `${domain} hat keinen SPF-Eintrag. Fügen Sie einen TXT-Eintrag hinzu: v=spf1 ${mechanism} mx ~all`,
  'spf.none-relay': ({ domain, mechanism }) =>
    `${domain} hat keinen SPF-Eintrag. Fügen Sie einen TXT-Eintrag hinzu: v=spf1 ${mechanism} mx ~all. Wenn der Anbieter Ihres Mailservers ein include: dokumentiert, verwenden Sie dieses statt ${mechanism}.`,
  'spf.none-ses': ({ domain }) => `${domain} hat keinen SPF-Eintrag. Für E-Mails über SES ist keiner nötig.`,
  'spf.none-unnamed': ({ domain }) =>
    `${domain} hat keinen SPF-Eintrag. Der nötige Eintrag wird angezeigt, sobald SMTP_HOSTNAME oder BASE_URL den öffentlichen Namen dieses Servers enthält.`,
  'dmarc.several': ({ domain, count }) =>
    `_dmarc.${domain} hat ${count} DMARC-Einträge, deshalb ignorieren Empfänger alle. Behalten Sie einen.`,
  'dmarc.none': ({ domain }) =>
    `${domain} hat keinen DMARC-Eintrag, den große Postfachanbieter verlangen. Fügen Sie bei _dmarc.${domain} einen TXT-Eintrag hinzu: v=DMARC1; p=none`,
  'dmarc.monitors': () =>
    'Der DMARC-Eintrag beobachtet nur (p=none). Ändern Sie ihn zu p=quarantine, sobald alle Ihre E-Mails bestehen.',
  'dmarc.invalid': () =>
    'Der DMARC-Eintrag hat keine gültige Richtlinie. Setzen Sie p=none, p=quarantine oder p=reject.',
  'mx.none': ({ domain }) =>
    `${domain} hat keinen MX-Eintrag, deshalb kommen Antworten vielleicht nicht an. Fügen Sie einen hinzu oder geben Sie eine Antwortadresse einer anderen Domain an.`,
  'mx.null': ({ domain }) =>
    `${domain} hat einen Null-MX-Eintrag und nimmt keine E-Mails an, deshalb kommen Antworten zurück. Geben Sie eine Antwortadresse einer anderen Domain an.`,
}
