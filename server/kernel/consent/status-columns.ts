/** Which columns of a file look like the state of a subscription, by their names. */

/** Words for the state of a subscription in the exports of other services, in several languages. */
const STATUS =
  /^(e-?mail|contact|subscriber|subscription|list|kontakt|newsletter)?[ _.-]*(status|state|zustand|statut|estado|stato)$|block ?list|black ?list|suppress|unsub|opt(ed)?[ _-]?(in|out)|subscribed?$|(ab|an)gemeldet|abonniert|abbestellt|einwilligung|consent|désabonn|abonné|inscrit|suscrit|iscritto|zustimmung|accepts?[ _-].*marketing|do[ _-]?not[ _-]?(e-?mail|contact|send)|^(is[ _-]?)?(active|aktiv|cleaned|(un)?confirmed)$|bounced?$|complain/i

export const looksLikeStatus = (column: string): boolean => STATUS.test(column.trim())
