/** French texts of what the check of a domain finds, by code. */
import type { DomainFindingTexts } from '../../../../pages/domains/finding-texts.ts'

export const domainFinding: DomainFindingTexts = {
  'dns.unknown': ({ topic, reason }) => `${topic} n’a pas pu être vérifié : ${reason}.`,
  'spf.several': ({ domain, count }) =>
    `${domain} a ${count} enregistrements SPF, les destinataires les ignorent donc tous. Réunissez-les en un seul qui commence par v=spf1.`,
  'spf.open': ({ domain }) =>
    `L’enregistrement SPF de ${domain} se termine par +all, ce qui permet à tous d’envoyer. Remplacez-le par ~all.`,
  'spf.lookups': ({ domain, lookups, max }) =>
    `L’enregistrement SPF de ${domain} demande ${lookups} requêtes DNS ; le maximum est de ${max}. Supprimez les éléments inutilisés.`,
  'spf.incomplete': ({ domain, mechanism }) =>
    `L’enregistrement SPF de ${domain} ne contient pas le serveur qui envoie vos e-mails. Ajoutez ${mechanism} après v=spf1.`,
  'spf.incomplete-relay': ({ domain, mechanism }) =>
    `L’enregistrement SPF de ${domain} ne contient pas le serveur qui envoie vos e-mails. Ajoutez ${mechanism}, ou l’include: de votre fournisseur de messagerie, après v=spf1.`,
  'spf.no-end': ({ domain }) =>
    `L’enregistrement SPF de ${domain} n’indique rien pour les autres expéditeurs. Terminez-le par ~all.`,
  'spf.none': ({ domain, mechanism }) =>
    `${domain} n’a pas d’enregistrement SPF. Ajoutez un enregistrement TXT : v=spf1 ${mechanism} mx ~all`,
  'spf.none-relay': ({ domain, mechanism }) =>
    `${domain} n’a pas d’enregistrement SPF. Ajoutez un enregistrement TXT : v=spf1 ${mechanism} mx ~all. Si votre fournisseur de messagerie documente un include:, utilisez-le à la place de ${mechanism}.`,
  'spf.none-ses': ({ domain }) =>
    `${domain} n’a pas d’enregistrement SPF. Les e-mails envoyés par SES n’en ont pas besoin.`,
  'spf.none-unnamed': ({ domain }) =>
    `${domain} n’a pas d’enregistrement SPF. L’enregistrement à ajouter s’affiche dès que SMTP_HOSTNAME ou BASE_URL contient le nom public de ce serveur.`,
  'dmarc.several': ({ domain, count }) =>
    `_dmarc.${domain} a ${count} enregistrements DMARC, les destinataires les ignorent donc tous. N’en gardez qu’un.`,
  'dmarc.none': ({ domain }) =>
    `${domain} n’a pas d’enregistrement DMARC, que les grands fournisseurs exigent. Ajoutez un enregistrement TXT à _dmarc.${domain} : v=DMARC1; p=none`,
  'dmarc.monitors': () =>
    'L’enregistrement DMARC ne fait qu’observer (p=none). Quand tous vos e-mails passent, remplacez-le par p=quarantine.',
  'dmarc.invalid': () => 'L’enregistrement DMARC n’a pas de règle valide. Indiquez p=none, p=quarantine ou p=reject.',
  'mx.none': ({ domain }) =>
    `${domain} n’a pas d’enregistrement MX, les réponses risquent donc de ne pas arriver. Ajoutez-en un ou indiquez une adresse de réponse d’un autre domaine.`,
  'mx.null': ({ domain }) =>
    `${domain} a un enregistrement MX nul et n’accepte pas d’e-mails, les réponses reviennent donc en erreur. Indiquez une adresse de réponse d’un autre domaine.`,
}
