/** "1 contact", "2,041 contacts". */
export const countWords = (count: number, noun: string): string =>
  `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`
