/** The preference pages in every language: what a project can offer in addition, such as the choice of a language. */
import type { SettingTexts } from './text-types.ts'

export const settingTexts = {
  en: {
    title: 'Language and time zone',
    language: 'Language',
    timezone: 'Time zone',
    unset: 'Not specified',
    download: {
      title: 'Your data',
      text: 'Download what {project} stores about {email} as a file.',
      button: 'Download data',
    },
  },
  de: {
    title: 'Sprache und Zeitzone',
    language: 'Sprache',
    timezone: 'Zeitzone',
    unset: 'Keine Angabe',
    download: {
      title: 'Ihre Daten',
      text: 'Laden Sie als Datei herunter, was {project} über {email} speichert.',
      button: 'Daten herunterladen',
    },
  },
  fr: {
    title: 'Langue et fuseau horaire',
    language: 'Langue',
    timezone: 'Fuseau horaire',
    unset: 'Non précisé',
    download: {
      title: 'Vos données',
      text: 'Téléchargez dans un fichier ce que {project} conserve sur {email}.',
      button: 'Télécharger les données',
    },
  },
  es: {
    title: 'Idioma y zona horaria',
    language: 'Idioma',
    timezone: 'Zona horaria',
    unset: 'Sin especificar',
    download: {
      title: 'Sus datos',
      text: 'Descargue en un archivo lo que {project} guarda sobre {email}.',
      button: 'Descargar los datos',
    },
  },
  it: {
    title: 'Lingua e fuso orario',
    language: 'Lingua',
    timezone: 'Fuso orario',
    unset: 'Non specificato',
    download: {
      title: 'I suoi dati',
      text: 'Scarichi in un file ciò che {project} conserva su {email}.',
      button: 'Scarica i dati',
    },
  },
  nl: {
    title: 'Taal en tijdzone',
    language: 'Taal',
    timezone: 'Tijdzone',
    unset: 'Niet opgegeven',
    download: {
      title: 'Uw gegevens',
      text: 'Download als bestand wat {project} over {email} bewaart.',
      button: 'Gegevens downloaden',
    },
  },
  pt: {
    title: 'Idioma e fuso horário',
    language: 'Idioma',
    timezone: 'Fuso horário',
    unset: 'Não especificado',
    download: {
      title: 'Os seus dados',
      text: 'Descarregue num ficheiro o que {project} guarda sobre {email}.',
      button: 'Descarregar os dados',
    },
  },
  pl: {
    title: 'Język i strefa czasowa',
    language: 'Język',
    timezone: 'Strefa czasowa',
    unset: 'Nie podano',
    download: {
      title: 'Twoje dane',
      text: 'Pobierz w pliku to, co {project} przechowuje o {email}.',
      button: 'Pobierz dane',
    },
  },
  sv: {
    title: 'Språk och tidszon',
    language: 'Språk',
    timezone: 'Tidszon',
    unset: 'Inte angivet',
    download: {
      title: 'Dina uppgifter',
      text: 'Ladda ner det som {project} lagrar om {email} som en fil.',
      button: 'Ladda ner uppgifter',
    },
  },
  da: {
    title: 'Sprog og tidszone',
    language: 'Sprog',
    timezone: 'Tidszone',
    unset: 'Ikke angivet',
    download: {
      title: 'Dine data',
      text: 'Download det, som {project} gemmer om {email}, som en fil.',
      button: 'Download data',
    },
  },
  ja: {
    title: '言語とタイムゾーン',
    language: '言語',
    timezone: 'タイムゾーン',
    unset: '指定なし',
    download: {
      title: 'お客様のデータ',
      text: '{project} が {email} について保存している情報をファイルでダウンロードできます。',
      button: 'データをダウンロード',
    },
  },
  zh: {
    title: '语言和时区',
    language: '语言',
    timezone: '时区',
    unset: '未指定',
    download: {
      title: '您的数据',
      text: '以文件形式下载 {project} 保存的关于 {email} 的信息。',
      button: '下载数据',
    },
  },
} satisfies Record<string, SettingTexts>
