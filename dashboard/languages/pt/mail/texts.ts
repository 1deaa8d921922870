/** Portuguese texts of the checks of an email, of the postal address and of the image library. */
import { formatCount, formatNumber } from '../../../figures/format.ts'
import type * as english from '../../../mail/texts.ts'
import type { Translation } from '../../translation.ts'

export const check: Translation<typeof english.checkTexts> = {
  title: 'Verificações',
  running: 'Verificando…',
  notWritten: 'Escreva um assunto para verificar os links, as imagens, o texto e o HTML deste e-mail.',
  failed: 'Não foi possível verificar',
  none: 'Nenhum problema encontrado',
  passed: 'Verificações aprovadas',
  allPassed: 'Todas as verificações foram aprovadas.',
  areas: {
    subject: 'Assunto',
    preheader: 'Pré-cabeçalho',
    links: 'Links',
    images: 'Imagens e seu texto alternativo',
    wording: 'Texto e redação',
    variables: 'Variáveis',
    unsubscribe: 'Link de cancelamento',
    address: 'Endereço postal',
    contrast: 'Contraste do texto',
    clients: 'Suporte nos programas de e-mail',
    size: 'Tamanho do e-mail',
  },
  counts: {
    error: (count: number) => formatCount(count, { one: 'erro', other: 'erros' }),
    warning: (count: number) => formatCount(count, { one: 'alerta', other: 'alertas' }),
    info: (count: number) => formatCount(count, { one: 'observação', other: 'observações' }),
  },
  severities: { error: 'Erro', warning: 'Alerta', info: 'Observação' },
  sample: (contacts: number) =>
    `Com base em uma amostra de ${formatCount(contacts, { one: 'destinatário', other: 'destinatários' })}.`,
  variant: (name: string) => `Variante ${name}: `,
  showBlock: 'Mostrar bloco',
  where: (field: string | undefined, line: number | undefined) => {
    if (line !== undefined) return `Linha ${formatNumber(line)}.`
    return { subject: 'Encontrado no assunto.', preheader: 'Encontrado no pré-cabeçalho.' }[field ?? ''] ?? ''
  },
}

export const address: Translation<typeof english.addressTexts> = {
  title: 'Onde está seu endereço postal?',
  lead: 'Muitos países o exigem em e-mails de marketing. Informe-o uma vez para todos os e-mails do projeto ou declare que seus e-mails já o contêm.',
  askAdmin:
    'Muitos países o exigem em e-mails de marketing. Peça a um administrador do projeto para informá-lo em Configurações, Marca.',
  address: 'Endereço postal',
  placeholder: 'Empresa, rua, cidade, país',
  save: 'Mostrar no rodapé',
  inContent: 'Meus e-mails já o contêm',
}

export const library: Translation<typeof english.imageLibraryTexts> = {
  open: 'Escolher da biblioteca',
  title: 'Biblioteca de imagens',
  noMatch: 'Nenhuma imagem corresponde à busca.',
  size: (width: number, height: number) => `${formatNumber(width)} × ${formatNumber(height)}`,
  more: (shown: number) =>
    `As ${formatNumber(shown)} imagens mais recentes são exibidas. Use a busca para encontrar outras.`,
}
