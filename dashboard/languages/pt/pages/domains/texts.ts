/** Portuguese texts of the domains page. */
import { formatCount, formatNumber } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/domains/texts.ts'
import type { Translation } from '../../../translation.ts'

const recordNames: Record<string, string> = { dkim: 'DKIM', ed25519: 'DKIM (Ed25519)', spf: 'SPF', dmarc: 'DMARC' }

const recordName = (purpose: string) => recordNames[purpose] ?? purpose

export const domains: Translation<typeof english.texts> = {
  title: 'Domínios',
  lead: 'Você só pode enviar de domínios que verificou.',
  add: 'Adicionar domínio',
  emptyTitle: 'Nenhum domínio ainda',
  empty:
    'Adicione o domínio do qual você quer enviar. O Posthorn mostra os registros DNS que devem ser criados e os verifica automaticamente.',
  statuses: { VERIFIED: 'Verificado', PENDING: 'Pendente', FAILED: 'Falhou' },
  lastChecked: (found: number, records: number) =>
    `${formatNumber(found)} de ${formatCount(records, { one: 'registro DNS encontrado', other: 'registros DNS encontrados' })}, verificação: <time/>`,
  neverChecked: 'Ainda não verificado',
  captured:
    'Por isso, um domínio é verificado sem consultar o DNS: automaticamente em poucos minutos, ou na hora quando você escolhe “Verificar registros”. Crie os registros DNS antes de enviar e-mails de verdade.',
  check: 'Verificar registros',
  verified: (domain: string) => `${domain} foi verificado.`,
  notVerified:
    'Alguns registros não foram encontrados. Alterações no DNS podem demorar um pouco para fazer efeito. Verifique novamente mais tarde.',
  actionsOf: (domain: string) => `Ações de ${domain}`,
  remove: 'Remover domínio',
  removeTitle: (domain: string) => `Remover ${domain}?`,
  removeEffect:
    'Você não poderá mais enviar deste domínio, e os e-mails que aguardam envio a partir dele vão falhar. A chave DKIM dele será excluída; se você adicionar o domínio novamente, precisará de novos registros DNS.',
  removed: 'Domínio removido.',
  records: {
    label: (domain: string) => `Registros DNS de ${domain}`,
    column: { type: 'Tipo', record: 'Registro', name: 'Nome', value: 'Valor', status: 'Status' },
    notChecked: (count: number, isVerified: boolean) =>
      `${formatCount(count, { one: 'registro DNS', other: 'registros DNS' })}, ${isVerified ? 'domínio verificado sem DNS' : 'sem verificação'} no modo de teste`,
    show: 'Mostrar registros',
    hide: 'Ocultar registros',
    found: 'Encontrado',
    notFound: 'Não encontrado',
    copyName: (purpose: string) => `Copiar o nome do registro ${recordName(purpose)}`,
    copyValue: (purpose: string) => `Copiar o valor do registro ${recordName(purpose)}`,
    priority: (priority: number) => `Prioridade ${formatNumber(priority)}`,
    purposes: {
      ownership: 'Prova que o domínio é seu',
      dkim: 'Assina seus e-mails',
      ed25519: 'Também assina seus e-mails, com uma chave Ed25519',
      spf: 'Autoriza o Posthorn a enviar pelo domínio',
      dmarc: 'Diz aos servidores de destino como tratar e-mails forjados',
      'return-path': 'Recebe as devoluções',
    },
  },
  ed25519: {
    add: 'Adicionar chave Ed25519',
    addTitle: (domain: string) => `Adicionar uma chave Ed25519 a ${domain}?`,
    addEffect:
      'Os e-mails passam a ser assinados duas vezes: com a chave RSA, que qualquer servidor pode verificar, e com uma chave Ed25519, que alguns preferem. Crie o registro DNS que aparece em seguida. A segunda assinatura é adicionada quando o registro é encontrado.',
    added: 'Chave Ed25519 adicionada. Crie o registro DNS dela.',
    remove: 'Remover chave Ed25519',
    removeTitle: (domain: string) => `Remover a chave Ed25519 de ${domain}?`,
    removeEffect:
      'Os e-mails serão assinados somente com a chave RSA. Mantenha o registro DNS por uma semana, para que os servidores possam verificar os e-mails que estão a caminho. Se você adicionar uma chave novamente, ela precisará de um novo registro DNS.',
    removed: 'Chave Ed25519 removida.',
  },
  warmUp: {
    set: 'Configurar aquecimento',
    change: 'Alterar aquecimento',
    title: (domain: string) => `Aquecimento de ${domain}`,
    label: (domain: string) => `Aquecimento de ${domain}`,
    explanation:
      'Provedores de e-mail desconfiam de um domínio novo que envia muito de uma só vez. O aquecimento limita os e-mails de marketing a um número que cresce a cada dia; os demais esperam o dia seguinte. E-mails transacionais nunca são retidos.',
    progress: (sent: number, limit: number) =>
      `Aquecimento: ${formatNumber(sent)} de ${formatCount(limit, { one: 'e-mail de marketing enviado', other: 'e-mails de marketing enviados' })} hoje`,
    startsOn: (day: string) => `O aquecimento começa em ${day}. Até lá, nada é retido.`,
    lead: 'Os e-mails de marketing que passam do número do dia esperam o dia seguinte, que começa à meia-noite (UTC).',
    full: 'O número de hoje foi atingido. Os e-mails de marketing continuam à meia-noite (UTC).',
    plan: 'E-mails de marketing nos próximos dias',
    utc: 'Os dias começam à meia-noite (UTC). As campanhas continuam automaticamente.',
    startedOn: 'Primeiro dia',
    perDay: 'E-mails no primeiro dia',
    growth: 'Fator de crescimento por dia',
    save: 'Salvar aquecimento',
    saved: 'Aquecimento salvo.',
    end: 'Encerrar aquecimento',
    ended: 'Aquecimento encerrado. Os e-mails em espera estão sendo enviados.',
  },
  addDialog: {
    title: 'Adicionar domínio',
    lead: 'A parte depois da @ nos seus endereços de remetente.',
    domain: 'Domínio',
    placeholder: 'example.com',
    added: 'Domínio adicionado.',
  },
}
