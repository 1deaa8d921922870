/** Portuguese texts of the page that moves contacts from another service. */
import { formatCount } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/imports/move-texts.ts'
import type { Translation } from '../../../translation.ts'
import { shared } from '../../shell/texts.ts'

export const move: Translation<typeof english.moveTexts> = {
  title: 'Migrar de outro serviço',
  lead: 'Traga contatos com seus dados, cancelamentos de inscrição, tópicos e modelos. Quem cancelou a inscrição continua fora.',
  back: 'Importar contatos',
  service: 'Serviço',
  files: 'Arquivos da exportação',
  filesOf: (what: string) => `${what}. Os arquivos são lidos no seu navegador, portanto podem ter qualquer tamanho.`,
  choose: 'Escolher arquivos',
  chosen: (names: string[]) => names.join(', '),
  none: 'Nenhum arquivo escolhido ainda.',
  subscribe: 'Inscrever as pessoas cuja exportação não informa a situação da inscrição',
  subscribeHint: 'Só se todas concordaram em receber seus e-mails. Quem cancelou a inscrição nunca é inscrito.',
  from: 'Remetente dos modelos',
  fromHint: 'Para modelos e campanhas que não têm um.',
  check: 'Ver prévia das alterações',
  checking: (contacts: number) => `Lendo a exportação… ${shared.contacts(contacts)} até agora.`,
  moving: (contacts: number) => `Migrando… ${shared.contacts(contacts)} até agora. Mantenha esta página aberta.`,
  preview: 'Prévia',
  previewLead: 'Nada foi alterado ainda.',
  start: 'Migrar contatos',
  confirmTitle: (contacts: number) => `Migrar ${shared.contacts(contacts)}?`,
  confirm:
    'Cancelamentos de inscrição e supressões são gravados primeiro. Os contatos existentes mantêm os valores que a exportação não tem.',
  completed: 'Migração concluída',
  completedLead: 'Você pode repeti-la a qualquer momento: o que já está aqui não muda.',
  problems: (count: number) => formatCount(count, { one: 'problema', other: 'problemas' }),
  problemsLead: 'Estas entradas não foram migradas. Todas as outras foram.',
  problem: { place: 'Local', entry: 'Entrada', reason: 'Motivo' },
  placeOf: (file: string, line: number | undefined) => (line === undefined ? file : `${file}, linha ${line}`),
  link: 'Migrar de outro serviço',
}
