/** Portuguese texts for changes that two people make at the same time. */
import { formatList, formatNumber } from '../../../figures/format.ts'
import type * as english from '../../../saving/texts.ts'
import type { Translation } from '../../translation.ts'

export const conflict: Translation<typeof english.conflictTexts> = {
  title: 'Outra pessoa também salvou isto',
  titleSelf: 'Você também salvou isto em outra janela',
  savedBy: '<who/> salvou (<when/>) depois que você abriu.',
  savedBySelf: 'Você salvou (<when/>) depois de abrir aqui.',
  savedBySomeone: 'Alguém salvou (<when/>) depois que você abriu.',
  both: (count: number) =>
    count === 1
      ? 'Um campo foi alterado lá e aqui. Escolha o que manter.'
      : `${formatNumber(count)} campos foram alterados lá e aqui. Escolha o que manter.`,
  taken: (fields: string[]) => `As outras alterações também serão mantidas: ${formatList(fields)}.`,
  theirs: 'Da outra pessoa',
  otherWindow: 'A outra janela',
  mine: 'Sua',
  thisWindow: 'Esta janela',
  empty: '(vazio)',
  keepEditing: 'Continuar editando',
  useTheirs: 'Usar a da outra pessoa',
  useOther: 'Usar a outra versão',
  saveMine: 'Substituir pela minha',
  merge: 'Salvar o que escolhi',
  tookTheirs: 'Você está vendo o que foi salvo. Suas alterações foram descartadas.',
  mergedWith: (name: string | undefined, fields: string[]) =>
    `Suas alterações foram salvas junto com as ${name ? `de ${name}` : 'que já estavam salvas'}: ${formatList(fields)}.`,
}

export const editing: Translation<typeof english.editingTexts> = {
  otherTab: 'Você também está editando isto em outra aba',
  others: (emails: string[]) =>
    emails.length === 1 ? `${emails[0]} também está editando isto` : `${formatList(emails)} também estão editando isto`,
}
