/** Portuguese texts of what the check of a domain finds, by code. */
import type { DomainFindingTexts } from '../../../../pages/domains/finding-texts.ts'

export const domainFinding: DomainFindingTexts = {
  'dns.unknown': ({ topic, reason }) => `Não foi possível verificar ${topic}: ${reason}.`,
  'spf.several': ({ domain, count }) =>
    `${domain} tem ${count} registros SPF, por isso os destinatários ignoram todos. Junte-os em um só que comece com v=spf1.`,
  'spf.open': ({ domain }) =>
    `O registro SPF de ${domain} termina com +all, o que permite que qualquer um envie. Troque por ~all.`,
  'spf.lookups': ({ domain, lookups, max }) =>
    `O registro SPF de ${domain} exige ${lookups} consultas DNS; o máximo é ${max}. Remova o que você não usa mais.`,
  'spf.incomplete': ({ domain, mechanism }) =>
    `O registro SPF de ${domain} não inclui o servidor que envia seus e-mails. Adicione ${mechanism} depois de v=spf1.`,
  'spf.incomplete-relay': ({ domain, mechanism }) =>
    `O registro SPF de ${domain} não inclui o servidor que envia seus e-mails. Adicione ${mechanism}, ou o include: do seu provedor de e-mail, depois de v=spf1.`,
  'spf.no-end': ({ domain }) =>
    `O registro SPF de ${domain} não diz o que vale para outros remetentes. Termine-o com ~all.`,
  'spf.none': ({ domain, mechanism }) =>
    `${domain} não tem registro SPF. Adicione um registro TXT: v=spf1 ${mechanism} mx ~all`,
  'spf.none-relay': ({ domain, mechanism }) =>
    `${domain} não tem registro SPF. Adicione um registro TXT: v=spf1 ${mechanism} mx ~all. Se o seu provedor de e-mail documenta um include:, use-o no lugar de ${mechanism}.`,
  'spf.none-ses': ({ domain }) => `${domain} não tem registro SPF. E-mails enviados pelo SES não precisam dele.`,
  'spf.none-unnamed': ({ domain }) =>
    `${domain} não tem registro SPF. O registro necessário aparece quando SMTP_HOSTNAME ou BASE_URL contém o nome público deste servidor.`,
  'dmarc.several': ({ domain, count }) =>
    `_dmarc.${domain} tem ${count} registros DMARC, por isso os destinatários ignoram todos. Mantenha um.`,
  'dmarc.none': ({ domain }) =>
    `${domain} não tem registro DMARC, que os grandes provedores exigem. Adicione um registro TXT em _dmarc.${domain}: v=DMARC1; p=none`,
  'dmarc.monitors': () =>
    'O registro DMARC só observa (p=none). Quando todos os seus e-mails passarem, mude para p=quarantine.',
  'dmarc.invalid': () => 'O registro DMARC não tem uma política válida. Use p=none, p=quarantine ou p=reject.',
  'mx.none': ({ domain }) =>
    `${domain} não tem registro MX, por isso as respostas podem não chegar. Adicione um ou informe um endereço de resposta de outro domínio.`,
  'mx.null': ({ domain }) =>
    `${domain} tem um registro MX nulo e não aceita e-mails, por isso as respostas voltam. Informe um endereço de resposta de outro domínio.`,
}
