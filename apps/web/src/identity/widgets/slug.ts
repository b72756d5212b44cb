const longest = 60

/** `Aurora & Atlas` → `aurora-atlas`; empty when nothing of the name can be written that way. The server has the same rule. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036F'’]/g, '')
    .replaceAll('ß', 'ss')
    .replaceAll(/[æœ]/g, (letter) => (letter === 'æ' ? 'ae' : 'oe'))
    .replaceAll('ø', 'o')
    .replaceAll('ð', 'd')
    .replaceAll('þ', 'th')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, longest)
    .replaceAll(/^-+|-+$/g, '')
