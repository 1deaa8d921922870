/** Portuguese texts of the image library that are about one image, its folder and its crop. */
import { formatCount, formatNumber } from '../../../../figures/format.ts'
import type * as english from '../../../../mail/library/texts.ts'
import type { Translation } from '../../../translation.ts'

const IMAGES = { one: 'imagem', other: 'imagens' }

export const image: Translation<typeof english.imageTexts> = {
  search: 'Buscar por nome',
  folder: 'Pasta',
  allFolders: 'Todas as imagens',
  noFolder: 'Fora de pastas',
  images: (count: number) => formatCount(count, IMAGES),
  upload: 'Carregar imagem',
  emptyTitle: 'Nenhuma imagem ainda',
  empty: 'As imagens que você carrega ficam guardadas aqui, para uso em qualquer e-mail.',
  foldersHint:
    'Mantenha juntas as imagens relacionadas: selecione-as e mova-as para uma pasta, como “Logotipos” ou “Promoção de primavera”.',
  showMore: 'Mostrar mais imagens',
  select: (name: string) => `Selecionar ${name}`,
  selected: (count: number) => formatCount(count, { one: 'selecionada', other: 'selecionadas' }),
  clear: 'Limpar seleção',
  move: 'Mover para pasta',
  moveTitle: (count: number) => `Mover ${formatCount(count, IMAGES)}`,
  moveHint: 'Escolha uma pasta ou digite o nome de uma nova. Deixe em branco para tirar as imagens das pastas.',
  moveAction: 'Mover imagens',
  moved: (count: number) => `${formatCount(count, { one: 'imagem movida', other: 'imagens movidas' })}.`,
  back: 'Voltar à biblioteca',
  name: 'Nome',
  folderHint: 'Escolha uma pasta ou digite o nome de uma nova.',
  alt: 'Texto alternativo',
  altHint: 'Guardado com a imagem e sugerido sempre que você a inserir.',
  save: 'Salvar detalhes',
  saved: 'Detalhes salvos.',
  use: 'Inserir imagem',
  useCropped: 'Inserir imagem cortada',
  cropped: 'cortada',
  crop: 'Cortar',
  cropHint:
    'Arraste a moldura ou suas alças, ou coloque o foco em uma delas e use as setas do teclado; com Shift, os passos são maiores. O corte vira uma nova imagem; esta permanece.',
  cropStill: 'O corte de uma animação é uma imagem estática.',
  resetCrop: 'Desfazer corte',
  frame: (width: number, height: number) => `Moldura, ${formatNumber(width)} × ${formatNumber(height)} pixels`,
  handles: {
    nw: 'Canto superior esquerdo',
    n: 'Borda superior',
    ne: 'Canto superior direito',
    e: 'Borda direita',
    se: 'Canto inferior direito',
    s: 'Borda inferior',
    sw: 'Canto inferior esquerdo',
    w: 'Borda esquerda',
  },
  cropFailed:
    'Não foi possível cortar a imagem neste navegador. Insira a imagem inteira ou corte-a com outro programa.',
  delete: 'Excluir imagem',
  deleteTitle: (name: string) => `Excluir “${name}”?`,
  deleteEffect:
    'Os e-mails que contêm a imagem deixam de mostrá-la, inclusive os que já foram enviados: quem abrir um deles verá o texto alternativo. Não é possível desfazer essa ação.',
  deleted: 'Imagem excluída.',
  checkingUses: 'Verificando onde a imagem é usada…',
  unused: 'Nenhum modelo, campanha, layout ou bloco salvo usa a imagem, nem a marca do projeto.',
  usedIn: 'Ela é usada em:',
  moreUses: (count: number) => `e mais ${formatNumber(count)}`,
  uses: {
    template: (name: string) => `${name} (modelo)`,
    campaign: (name: string) => `${name} (campanha)`,
    layout: (name: string) => `${name} (layout)`,
    'saved-blocks': (name: string) => `${name} (blocos salvos)`,
    branding: (_name: string) => 'Marca do projeto',
  },
}
