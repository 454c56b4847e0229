#!/bin/sh
# A Debian package of the program in BUILD: docker/deb/build.sh BUILD VERSION
#
# Makes BUILD/koikoi_VERSION_ARCH.deb from `make install` and the files beside this one. The libraries that it depends
# on are read from the program.
set -eu
umask 022
build=$1 version=$2
here=$(dirname "$0")
root=$build/deb/root
rm -rf "$build/deb"
mkdir -p "$root/DEBIAN" "$root/lib/systemd/system" "$root/etc/koikoi" "$build/deb/debian"
make -s --no-print-directory BUILD="$build" install DESTDIR="$root" PREFIX=/usr >"$build/deb/log"
doc=$root/usr/share/doc/koikoi
# The library of keys is there if it was built.
programs=$(find "$(cd "$root" && pwd)/usr" \( -path '*/usr/bin/*' -o -path '*/usr/lib/*' \) -type f)
for program in $programs; do strip --strip-unneeded --remove-section=.comment --remove-section=.note "$program"; done
gzip -9n "$root/usr/share/man/man1/koikoi.1"
# The service and the commands that its host types mean one store.
sed 's,^#state_dir =$,state_dir = /var/lib/koikoi,' "$doc/koikoi.conf" >"$root/etc/koikoi/koikoi.conf"
grep -q '^state_dir = ' "$root/etc/koikoi/koikoi.conf"
rm "$doc/koikoi.conf"
sed 's,/usr/local/bin/,/usr/bin/,' docker/koikoi.service >"$root/lib/systemd/system/koikoi.service"
install -m 644 docker/grafana.json docker/alerts.yml "$doc"
mv "$doc/LICENSE" "$doc/copyright"
maintainer=$(sed -n 's/^Maintainer: //p' "$here/control")
printf 'koikoi (%s) unstable; urgency=medium\n\n  * Built from its sources.\n\n -- %s  %s\n' "$version" "$maintainer" \
    "$(LC_ALL=C date -R -r bot/main.c)" | gzip -9n >"$doc/changelog.gz"

# dpkg-shlibdeps wants the folder of a source package.
printf 'Source: koikoi\n\nPackage: koikoi\nArchitecture: any\n' >"$build/deb/debian/control"
# shellcheck disable=SC2086
libraries=$(cd "$build/deb" && dpkg-shlibdeps -O $programs 2>>log | sed -n 's/^shlibs:Depends=//p')
[ -n "$libraries" ] || { cat "$build/deb/log"; echo "no libraries found for" $programs >&2; exit 1; }
arch=$(dpkg --print-architecture)
sed "s/@VERSION@/$version/; s/@ARCH@/$arch/; s/@LIBRARIES@/$libraries/; s/@SIZE@/$(du -sk "$root/usr" | cut -f 1)/" \
    "$here/control" >"$root/DEBIAN/control"
echo /etc/koikoi/koikoi.conf >"$root/DEBIAN/conffiles"
(cd "$root" && find usr lib -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
for script in postinst prerm postrm; do install -m 755 "$here/$script" "$root/DEBIAN/$script"; done
dpkg-deb --root-owner-group --build "$root" "$build/koikoi_${version}_$arch.deb"
