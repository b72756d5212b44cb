/** Hands what an address leads to to the browser's downloads. */
export function saveFrom(address: string, fileName: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
}

/** Hands a text to the browser's downloads. */
export function saveTextFile(fileName: string, text: string, type = 'text/csv;charset=utf-8'): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  saveFrom(address, fileName)
  // The browser reads the address after this task.
  setTimeout(() => URL.revokeObjectURL(address), 0)
}
