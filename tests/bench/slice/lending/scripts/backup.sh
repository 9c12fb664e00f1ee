#!/bin/sh
# Copies the database while nobody writes and keeps the last seven copies.
set -eu

database=$1
target=$2

copy_database() {
    sqlite3 "$database" ".backup '$target/$(date +%F).sqlite3'"
}

remove_old_copies() {
    ls -1t "$target"/*.sqlite3 | tail -n +8 | while read -r old; do
        rm -- "$old"
    done
}

copy_database
remove_old_copies
