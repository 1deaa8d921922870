/** Portuguese texts of the settings about marketing email. */
import { formatCount } from '../../../../../figures/format.ts'
import type * as english from '../../../../../pages/settings/sending/texts.ts'
import type { Translation } from '../../../../translation.ts'

export const sending: Translation<typeof english.sendingTexts> = {
  sending: {
    on: (title: string) => `Ativar ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
    save: 'Salvar',
    saved: (title: string) => `${title}: alterações salvas.`,
    sunset: {
      counting: 'Contando contatos…',
      stops: (count: number) =>
        count === 0
          ? 'Agora, esta regra não interromperia os e-mails de marketing para nenhum contato.'
          : `Agora, esta regra interromperia os e-mails de marketing para <strong>${formatCount(count, { one: 'contato', other: 'contatos' })}</strong>.`,
      tooLong:
        'A contagem dos contatos que esta regra interromperia está demorando demais. Mesmo assim, cada um é avaliado antes do envio de um e-mail.',
      advice: 'Antes de ativar, pergunte a eles com o modelo <link>“Do you want to stay?”</link>',
    },
    settings: {
      quietHours: {
        title: 'Horário de silêncio',
        lead: 'Os e-mails de marketing esperam até o fim deste horário. Os transacionais, não.',
        fields: { from: 'De', to: 'Até', timezone: 'Fuso horário' },
      },
      frequencyCap: {
        title: 'Limite de frequência',
        lead: 'Um contato não recebe mais e-mails de marketing do que isto. Os demais são ignorados, e a campanha mostra quantos foram.',
        fields: { emails: 'E-mails', days: 'Dias' },
      },
      sunset: {
        title: 'Regra de inatividade',
        lead: 'Contatos que não abrem nem clicam em nada deixam de receber e-mails de marketing. Eles continuam inscritos; a interrupção termina se abrirem ou clicarem em um e-mail anterior, ou se a regra for desativada.',
        fields: { emails: 'E-mails sem abertura nem clique', days: 'Dentro deste número de dias' },
      },
      sendGuard: {
        title: 'Proteção de envio',
        lead: 'Pausa uma campanha quando e-mails demais são devolvidos ou denunciados como spam, e avisa proprietários e administradores.',
        fields: {
          bounceRate: 'Devoluções, em porcentagem',
          complaintRate: 'Denúncias de spam, em porcentagem',
          minimum: 'E-mails antes da avaliação',
        },
      },
      softBounces: {
        title: 'Limite de devoluções temporárias',
        lead: 'Suprime um endereço após falhas temporárias seguidas, como uma caixa de correio que continua cheia.',
        fields: { count: 'Devoluções seguidas', days: 'Ao longo de pelo menos este número de dias' },
      },
      utm: {
        title: 'Parâmetros UTM',
        lead: 'Adicionados aos links de e-mails de marketing que não têm nenhum, para que sua ferramenta de análise mostre de onde vêm os visitantes. Você pode usar variáveis, como {{ campaign.name }}.',
        fields: { source: 'Origem', medium: 'Mídia', campaign: 'Campanha' },
      },
      conversion: {
        title: 'Acompanhamento de conversões',
        lead: 'Um evento que você registra, como uma compra, conta para o último e-mail em que o contato clicou. “value” e “currency” nos dados dele são somados como receita.',
        fields: { event: 'Evento', days: 'Dias após o clique' },
      },
      archive: {
        title: 'Arquivo público',
        lead: 'Uma página pública com as campanhas que você torna públicas, e um feed Atom delas.',
        fields: { slug: 'Nome no endereço', title: 'Título' },
      },
    },
  },
}
