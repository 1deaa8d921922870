/** Portuguese question what new times of steps mean for the contacts who wait there. */
import { formatNumber } from '../../../../../figures/format.ts'
import type * as english from '../../../../../pages/workflows/steps/wait-texts.ts'
import type { Translation } from '../../../../translation.ts'

export const wait: Translation<typeof english.waitTexts> = {
  title: (contacts: number) =>
    contacts === 1
      ? '1 contato espera em uma etapa que você alterou'
      : `${formatNumber(contacts)} contatos esperam em etapas que você alterou`,
  lead: (steps: number) =>
    `Você alterou o tempo de espera ${steps === 1 ? 'desta etapa' : 'destas etapas'}. Escolha o que isso significa para os contatos que esperam ali agora.`,
  choice: 'Contatos que esperam agora',
  keep: { title: 'Manter o tempo deles', hint: 'Eles continuam quando teriam continuado antes desta alteração.' },
  apply: {
    title: 'Aplicar o novo tempo',
    hint: 'A espera é recalculada a partir do momento em que chegaram à etapa. Se já tiver acabado, eles continuam imediatamente.',
  },
  cancel: 'Não publicar ainda',
}
