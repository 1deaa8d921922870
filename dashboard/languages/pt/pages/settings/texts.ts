/** Portuguese texts of the settings page and its tabs. */
import type * as english from '../../../../pages/settings/texts.ts'
import type { Translation } from '../../../translation.ts'

export const settings: Translation<typeof english.settingsTexts> = {
  title: 'Configurações',
  leads: {
    project: 'O nome deste projeto e o que vale para todos os seus e-mails.',
    branding:
      'Usada nos e-mails visuais, no rodapé dos e-mails de marketing e nas páginas de cancelamento e de preferências.',
    sending:
      'Quando e quantos e-mails de marketing são enviados, o que seus links contêm e o que conta como conversão.',
    usage: 'Quantos e-mails este projeto usa por mês e seus limites.',
    security:
      'Com que frequência seus e-mails são devolvidos ou denunciados como spam. Provedores de e-mail rejeitam remetentes com taxas altas.',
    members: 'As pessoas que podem trabalhar neste projeto.',
    'audit-log':
      'Alterações no projeto, das mais recentes às mais antigas. As entradas não podem ser editadas nem excluídas.',
    keys: 'Seus aplicativos se autenticam com estas chaves.',
    smtp: 'Envie de aplicativos que usam SMTP em vez da API e receba e-mails para seus domínios.',
    account: 'Como você entra. Vale para todos os seus projetos.',
    installation: 'Somente operadores desta instalação podem ver esta página.',
    'system-mail': 'Convites, confirmações de endereço e redefinições de senha.',
  },
  unknownBrowser: 'Navegador desconhecido',
  browserOnSystem: (browser: string, system: string) => `${browser} no ${system}`,
  projectTitle: 'Configurações do projeto',
  export: {
    title: 'Exportação',
    lead: 'Baixe tudo deste projeto em um arquivo ZIP de JSON Lines: contatos, consentimentos, tópicos, modelos, campanhas, fluxos, e-mails e eventos. O registro de auditoria guarda essa ação.',
    action: 'Exportar projeto',
  },
  groups: {
    project: 'Projeto',
    team: 'Equipe',
    developers: 'Desenvolvedores',
    account: 'Pessoal',
    installation: 'Instalação',
  },
}
