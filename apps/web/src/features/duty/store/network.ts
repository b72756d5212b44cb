/** What the browser is sure of; that it has a network says little. */
export const isCutOff = (): boolean => 'onLine' in navigator && !navigator.onLine
