/** Letters without accents and case, so that `Vík` is found by `vik`. */
export const withoutAccents = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('þ', 'th')
    .replaceAll('ð', 'd')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll('æ', 'ae')
    .replaceAll('ß', 'ss')

/** The file of the gazetteer that holds a name: its first two letters. Undefined for what has none in Latin script. */
export const shardOf = (name: string): string | undefined => /[a-z]{2}/.exec(withoutAccents(name).slice(0, 2))?.[0]
