#!/bin/sh
set -eu
echo "starting on ${PORT:-8080}"
	exec /loader --name 'shop'
