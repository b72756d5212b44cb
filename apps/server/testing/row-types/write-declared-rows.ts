import { renameSync, writeFileSync } from 'node:fs'
import { declaredRows } from './declared-rows.ts'

// Writes the row types of the server's statements to the file that is named.
const [file] = process.argv.slice(2)
if (!file) throw new Error('Name the file to write.')
writeFileSync(`${file}.${process.pid}`, JSON.stringify(declaredRows()))
renameSync(`${file}.${process.pid}`, file)
