/** Portuguese texts of the version history of templates and campaigns. */
import { formatCount } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/versions/texts.ts'
import type { Translation } from '../../../translation.ts'

export const versions: Translation<typeof english.texts> = {
  title: 'Versões',
  lead: 'Cada alteração no assunto, no pré-cabeçalho, no texto ou no corpo é salva. Selecione uma versão para compará-la com a atual.',
  leadFirst:
    'Cada alteração no assunto, no pré-cabeçalho ou no corpo é salva como uma versão. Assim que houver duas, você poderá compará-las e restaurá-las aqui.',
  list: 'Versões, mais recentes primeiro',
  version: (number: number) => `Versão ${number}`,
  saved: '<version/>, salva em <at/>',
  savedByApi: '<version/>, salva em <at/> pela API',
  savedBy: '<version/>, salva em <at/> por <who/>',
  current: 'Atual',
  key: 'Pela API',
  system: 'Salva antes do registro de versões',
  formerMember: 'Ex-membro',
  compare: 'Comparação com a versão atual',
  from: (number: number, current: number) => `Da versão ${number} para a versão ${current} (atual)`,
  text: 'Texto',
  html: 'HTML',
  preview: (number: number) => `Prévia da versão ${number}`,
  subject: 'Assunto',
  preheader: 'Pré-cabeçalho',
  plainText: 'Texto simples',
  unchanged: 'Nenhuma diferença.',
  added: 'Somente na versão atual:',
  removed: 'Somente nesta versão:',
  more: (count: number) => `Mostrar ${formatCount(count, { one: 'linha inalterada', other: 'linhas inalteradas' })}`,
  name: 'Nome da versão (opcional)',
  namePlaceholder: 'Aprovada pelo jurídico',
  saveName: 'Salvar nome',
  nameSaved: 'Nome salvo.',
  restore: (number: number) => `Restaurar a versão ${number}`,
  restored: (number: number) => `Versão ${number} restaurada.`,
  restoreTitle: (number: number) => `Restaurar a versão ${number}?`,
  restoreEffect:
    'O assunto, o pré-cabeçalho e o corpo são substituídos pelos desta versão. O conteúdo atual é mantido como uma versão.',
  unsavedLost: 'Suas alterações não salvas serão perdidas.',
}
